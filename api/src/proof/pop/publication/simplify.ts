import type { LatLng } from './polyline.ts'

/** The same lines with at most so many points besides their ends, by leaving out those that change their course least. */
export function simplifyLines(lines: readonly LatLng[][], points: number): LatLng[][] {
  const weights = lines.map(weightsOf)
  const inner = weights.flatMap((each) => [...each.subarray(1, -1)])
  const least = inner.length > points ? (inner.toSorted((a, b) => b - a)[points] ?? 0) : -1
  return lines.map((line, index) => line.filter((_, each) => (weights[index]?.[each] ?? 0) > least))
}

/** A line without the points that lie this close to its course, in degrees of latitude. */
export function simplifyLine(line: readonly LatLng[], tolerance: number): LatLng[] {
  const weights = weightsOf(line)
  return line.filter((_, each) => (weights[each] ?? 0) > tolerance)
}

/**
 * How far off its course a line would be without each of its points, in degrees of latitude: Douglas and Peucker's way,
 * once for every tolerance. Without recursion, since a line of a long shift has thousands of points.
 */
function weightsOf(line: readonly LatLng[]): Float64Array {
  const weights = new Float64Array(line.length).fill(Infinity)
  const narrow = Math.cos(((line[0]?.[0] ?? 0) * Math.PI) / 180)
  const x = Float64Array.from(line, ([, longitude]) => longitude * narrow)
  const y = Float64Array.from(line, ([latitude]) => latitude)
  const open: [from: number, to: number, most: number][] = [[0, line.length - 1, Infinity]]
  for (let span = open.pop(); span; span = open.pop()) {
    const [from, to, most] = span
    if (to - from < 2) continue
    const { at, squared } = farthest(x, y, from, to)
    // No point counts more than the one that its part of the line hangs on.
    const weight = Math.min(most, Math.sqrt(squared))
    weights[at] = weight
    open.push([from, at, weight], [at, to, weight])
  }
  return weights
}

/** The point between two others that is farthest from the straight line between them. */
function farthest(x: Float64Array, y: Float64Array, from: number, to: number): { at: number; squared: number } {
  const [startX = 0, startY = 0] = [x[from], y[from]]
  const [alongX, alongY] = [(x[to] ?? 0) - startX, (y[to] ?? 0) - startY]
  const length = alongX * alongX + alongY * alongY
  let [at, squared] = [from + 1, -1]
  for (let each = from + 1; each < to; each++) {
    const [byX, byY] = [(x[each] ?? 0) - startX, (y[each] ?? 0) - startY]
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, (byX * alongX + byY * alongY) / length))
    const [offX, offY] = [byX - share * alongX, byY - share * alongY]
    const apart = offX * offX + offY * offY
    if (apart > squared) [at, squared] = [each, apart]
  }
  return { at, squared }
}
