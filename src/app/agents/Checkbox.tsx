import { createEffect, createSignal } from "solid-js";

export interface CheckboxProps {
  readonly label: string;
  readonly isOn: boolean;
  /** Whether only some of the items that it stands for are on. */
  readonly isPart?: boolean;
  readonly isSwitch?: boolean;
  readonly describedBy?: string;
  readonly choose: (isOn: boolean) => Promise<unknown>;
}

/** A checkbox with optimistic state: it shows the choice until it is saved, then the file's value. */
export function Checkbox(props: CheckboxProps) {
  const [chosen, setChosen] = createSignal<boolean | null>(null);
  const isOn = () => chosen() ?? props.isOn;
  let turn = 0;
  async function choose(box: HTMLInputElement) {
    const mine = ++turn;
    setChosen(box.checked);
    await props.choose(box.checked);
    if (mine === turn) setChosen(null);
    box.checked = isOn();
  }
  return (
    <label>
      <input
        ref={(box) => createEffect(() => (box.indeterminate = chosen() === null && props.isPart === true))}
        type="checkbox"
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- the box itself says whether it is checked
        role={props.isSwitch === true ? "switch" : undefined}
        checked={isOn()}
        aria-describedby={props.describedBy}
        onChange={(event) => void choose(event.currentTarget)}
      />{" "}
      {props.label}
    </label>
  );
}
