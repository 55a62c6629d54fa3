type Place = [latitude: number, longitude: number]
type Arcs = readonly number[][]

/** The states of `us-atlas` as TopoJSON: borders that two states share are one arc, which either names. */
export interface StateTopology {
  transform: { scale: readonly [number, number]; translate: readonly [number, number] }
  /** Steps from place to place, longitude first. */
  arcs: readonly (readonly (readonly [number, number])[])[]
  objects: {
    states: {
      geometries: readonly ({ type: 'Polygon'; arcs: Arcs } | { type: 'MultiPolygon'; arcs: readonly Arcs[] })[]
    }
  }
}

/** The areas of all states, each as its border and the borders of holes in it. */
export function areasOf({ arcs, transform, objects }: StateTopology): Place[][][] {
  const [[scaleX, scaleY], [left, bottom]] = [transform.scale, transform.translate]
  const lines = arcs.map((steps) => {
    let [x, y] = [0, 0]
    return steps.map(([east, north]): Place => [(y += north) * scaleY + bottom, (x += east) * scaleX + left])
  })
  // An arc that is named by its complement runs backwards.
  const lineOf = (arc: number) => (arc < 0 ? (lines[~arc] ?? []).toReversed() : (lines[arc] ?? []))
  return objects.states.geometries
    .flatMap((state) => (state.type === 'Polygon' ? [state.arcs] : state.arcs))
    .map((rings) => rings.map((ring) => ring.flatMap(lineOf)))
}
