import { parseOptions } from "../options.ts";
import { findCommit, findObject, treeOf, unknownRevision } from "../revision.ts";
import type { GitCommand } from "../run.ts";
import { absent, fatal } from "../stop.ts";
import { modes } from "../store/model.ts";
import { packTar, type Member } from "../../commands/tar-format.ts";
import { packMember, packZip } from "../../commands/zip-format.ts";
import { compress } from "../../commands/deflate.ts";
import { compareBytes } from "../text/bytes.ts";

/** `git archive`: writes the files of a commit as a tar, a compressed tar or a zip. */
export const archive: GitCommand = async (run, args) => {
  const options = parseOptions("archive", args, [
    "format=",
    "prefix=",
    "o output=",
    "l list",
    "v verbose",
    "add-file=",
    "worktree-attributes",
    "remote=",
    "0",
    "9",
  ]);
  for (const name of ["add-file", "worktree-attributes", "remote"]) if (options.has(name)) absent(`archive --${name}`);
  if (options.has("list")) {
    run.out("tar\ntgz\ntar.gz\nzip\n");
    return 0;
  }
  const repo = await run.repository();
  const [revision = fatal("usage: git archive [<options>] <tree-ish> [<path>...]"), ...words] = options.words;
  const oid = (await findObject(repo, revision)) ?? unknownRevision(revision);
  const output = options.value("output");
  const format = options.value("format") ?? formatOf(output ?? "");
  if (!["tar", "tgz", "tar.gz", "zip"].includes(format)) fatal(`Unknown archive format '${format}'`);
  const prefix = options.value("prefix") ?? "";
  const spec = repo.spec([...words, ...(options.paths ?? [])]);
  const files = [...(await repo.objects.files(await treeOf(repo, oid)))].filter(([path]) => spec.matches(path));
  const commit = await findCommit(repo, revision);
  const mtime = commit === null ? Math.floor(run.shell.now() / 1000) : (await repo.objects.commit(commit)).committer.time;

  const members = new Map<string, Member>();
  const folder = (name: string): void => {
    for (let at = name.indexOf("/"); at >= 0; at = name.indexOf("/", at + 1)) {
      const path = name.slice(0, at + 1);
      if (!members.has(path)) members.set(path, { name: path, kind: "folder", bytes: new Uint8Array(), mode: 0o775, mtime, target: "" });
    }
  };
  for (const [path, file] of files) {
    const name = prefix + path;
    folder(name);
    const bytes = file.mode === modes.submodule ? new Uint8Array() : await repo.objects.blob(file.oid);
    members.set(name, { name, kind: "file", bytes, mode: file.mode === modes.program ? 0o775 : 0o664, mtime, target: "" });
  }
  const list = [...members.values()].toSorted((a, b) => compareBytes(a.name, b.name));
  const bytes =
    format === "zip"
      ? packZip(
          await Promise.all(list.map(({ name, bytes: content, mode }) => packMember(name, content, new Date(mtime * 1000), mode, false))),
        )
      : format === "tar"
        ? packTar(list)
        : await compress(packTar(list), "gzip");
  if (output === null) {
    run.outBytes(bytes);
    return 0;
  }
  await repo.files.write(repo.files.resolve(run.shell.cwd, output), bytes);
  return 0;
};

const formatOf = (name: string): string => /\.(zip|tgz|tar\.gz)$/.exec(name)?.[1] ?? "tar";
