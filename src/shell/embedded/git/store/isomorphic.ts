import git from "isomorphic-git";

/* oxlint-disable import/no-named-as-default-member -- in the browser the module has only a default export. */
/** For the browser, see `scripts/vite/git-library.ts`. */
export const {
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
} = git;
