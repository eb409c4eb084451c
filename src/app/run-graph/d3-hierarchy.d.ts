/** The part of d3-hierarchy used here. The package has no types. */
declare module "d3-hierarchy" {
  interface HierarchyNode<Datum> {
    readonly data: Datum;
    readonly depth: number;
    readonly children?: readonly HierarchyPointNode<Datum>[];
    each(call: (node: HierarchyPointNode<Datum>) => void): this;
  }
  interface HierarchyPointNode<Datum> extends HierarchyNode<Datum> {
    readonly x: number;
    readonly y: number;
  }
  interface TreeLayout {
    <Datum>(root: HierarchyNode<Datum>): HierarchyPointNode<Datum>;
    nodeSize(size: readonly [number, number]): this;
    separation(separation: () => number): this;
  }
  export function hierarchy<Datum>(data: Datum, children: (datum: Datum) => readonly Datum[]): HierarchyNode<Datum>;
  export function tree(): TreeLayout;
}
