/** The dialog file: what it says, how it is written, changed and made whole, and who may do what according to it. */
export { authorized, authorizedAt } from "./authority.ts";
export { type DocGuard, docAuthorized, docLimits, guardDoc } from "./doc-authority.ts";
export {
  addCall,
  addMeta,
  addText,
  appendText,
  closeHead,
  type DialogPiece,
  type Edit,
  type EditOp,
  newDialog,
  openSection,
  pieces,
  setCall,
} from "./edit.ts";
export type { Call, Dialog, Json, JsonObject, Meta, Part, Section } from "./model.ts";
export { dialogFilename, type DialogName, type DialogStatus, freeDialogId, parseDialogFilename } from "./name.ts";
export { parseDialog } from "./parse.ts";
export { recover } from "./recover.ts";
export { parseAuthorizations, parseDecisions } from "./sentinel.ts";
export { serialiseDialog } from "./serialise.ts";
export { createTextWriter, type LastTextPiece, type TextPiece, type TextWriter } from "./text-writer.ts";
export { imported, upgrade } from "./upgrade.ts";
