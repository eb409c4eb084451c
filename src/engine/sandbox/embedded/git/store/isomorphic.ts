import git from "isomorphic-git";

/** In the browser, see `scripts/vite/git-library.ts`. */
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
