// oxlint-disable-next-line import/no-unassigned-import -- the global that isomorphic-git needs; it has to be there first.
import "./buffer.ts";

export {
  deleteRef,
  expandOid,
  indexPack,
  listBranches,
  listRefs,
  listTags,
  packObjects,
  readObject,
  resolveRef,
  writeObject,
  writeRef,
} from "isomorphic-git";
