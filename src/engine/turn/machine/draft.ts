import type { Edit, EditOp } from "../../../dialog/edit.ts";
import type { Dialog } from "../../../dialog/model.ts";

/** A sequence of edits of a dialog, with the file operations of all of them. */
export interface Draft {
  readonly dialog: Dialog;
  readonly ops: readonly EditOp[];
  /** Applies one more edit. */
  edit(make: (dialog: Dialog) => Edit): void;
}

export function draft(start: Dialog): Draft {
  let dialog = start;
  const ops: EditOp[] = [];
  return {
    get dialog() {
      return dialog;
    },
    ops,
    edit(make) {
      const made = make(dialog);
      dialog = made.dialog;
      ops.push(...made.ops);
    },
  };
}
