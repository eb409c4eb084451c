import { WidgetType } from "@codemirror/view";

/** A widget in the text that looks the same whenever its value is the same. */
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
