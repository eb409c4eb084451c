import { WidgetType } from "@codemirror/view";

/** Something drawn into the text that looks the same whenever its value is. */
export abstract class ValueWidget<Value extends string | boolean | number> extends WidgetType {
  readonly value: Value;
  constructor(value: Value) {
    super();
    this.value = value;
  }
  override eq(other: this) {
    return other.value === this.value;
  }
}
