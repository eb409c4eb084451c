/** The dialog file: what it says, how it is written, changed and made whole, and who may do what according to it. */
export type { Call, Dialog, Json, JsonObject, Meta, Part, Section } from "./model.ts";
export { parseDialog } from "./parse.ts";
export { serialiseDialog } from "./serialise.ts";
export {
  addCall,
  addMeta,
  addText,
  appendText,
  closeHead,
  dialogCalls,
  isSettled,
  newDialog,
  openSection,
  pieces,
  sectionTime,
  setCall,
  timeValue,
  type CallChange,
  type DialogPiece,
  type Edit,
  type EditOp,
} from "./edit.ts";
export { createTextWriter, type LastTextPiece, type TextPiece, type TextWriter } from "./text-writer.ts";
export { recover } from "./recover.ts";
export { imported, upgrade } from "./upgrade.ts";
export { authorized, authorizedAt } from "./authority.ts";
export { docAuthority, docAuthorized, docLimits, guardDoc, type DocGuard } from "./doc-authority.ts";
export {
  dialogFilename,
  dialogId,
  freeDialogId,
  parseDialogFilename,
  slugify,
  type DialogName,
  type DialogStatus,
} from "./name.ts";
export { parseAuthorizations, parseDecisions } from "./sentinel.ts";
export { clean } from "./clean.ts";
export { isJsonObject, parseJson, stringifyJson } from "./json.ts";
export { metaValue } from "./meta.ts";
export { toolName } from "./ids.ts";
