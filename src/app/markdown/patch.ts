/**
 * Gives `shown` the children of `wanted`, and keeps nodes that are alike. So the selection and the focus stay while the text grows, and the browser
 * lays out only what changed. `cursor` isn't part of the text and stays where it is.
 */
export function patch(shown: Node, wanted: Node, cursor: Node): void {
  let at = after(cursor, shown.firstChild);
  for (const next of Array.from(wanted.childNodes)) {
    if (at === null) {
      shown.appendChild(next);
      continue;
    }
    const following: Node | null = after(cursor, at.nextSibling);
    if (!grow(at, next, cursor)) shown.replaceChild(next, at);
    at = following;
  }
  while (at !== null) {
    const following: Node | null = after(cursor, at.nextSibling);
    shown.removeChild(at);
    at = following;
  }
}

const after = (cursor: Node, node: Node | null): Node | null => (node === cursor ? node.nextSibling : node);

/** Makes a node like the wanted one. False if they are of different kinds. */
function grow(shown: Node, wanted: Node, cursor: Node): boolean {
  if (shown instanceof Text && wanted instanceof Text) {
    if (shown.data === wanted.data) return true;
    if (wanted.data.startsWith(shown.data)) shown.appendData(wanted.data.slice(shown.data.length));
    else shown.data = wanted.data;
    return true;
  }
  // A code block is more than its nodes: its buttons belong to the text that it was created from.
  if (!(wanted instanceof Element && shown instanceof Element) || wanted.classList.contains("code") || !alike(shown, wanted)) return false;
  patch(shown, wanted, cursor);
  return true;
}

/** Whether two elements are the same apart from their children. */
function alike(one: Element, other: Element): boolean {
  if (one.nodeName !== other.nodeName) return false;
  const [mine, theirs] = [one.attributes, other.attributes];
  if (mine.length !== theirs.length) return false;
  for (const { name, value } of theirs) if (one.getAttribute(name) !== value) return false;
  return true;
}
