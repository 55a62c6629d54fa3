/** A place as [latitude, longitude]. */
export type LatLng = readonly [number, number]

const DIGITS = 1e5

/** A line as Google's encoded polyline with five digits. */
export function encodePolyline(line: readonly LatLng[]): string {
  let text = ''
  let [latitude, longitude] = [0, 0]
  for (const place of line) {
    const [north, east] = [Math.round(place[0] * DIGITS), Math.round(place[1] * DIGITS)]
    text += signed(north - latitude) + signed(east - longitude)
    ;[latitude, longitude] = [north, east]
  }
  return text
}

function signed(difference: number): string {
  let rest = difference < 0 ? ~(difference << 1) : difference << 1
  let text = ''
  for (; rest >= 0x20; rest >>= 5) text += String.fromCharCode((0x20 | (rest & 0x1f)) + 63)
  return text + String.fromCharCode(rest + 63)
}

export function decodePolyline(text: string): LatLng[] {
  const line: LatLng[] = []
  let at = 0
  const next = () => {
    let value = 0
    for (let shift = 0; at < text.length; shift += 5) {
      const bits = text.charCodeAt(at++) - 63
      value |= (bits & 0x1f) << shift
      if (bits < 0x20) break
    }
    return value & 1 ? ~(value >> 1) : value >> 1
  }
  for (let [north, east] = [0, 0]; at < text.length;) {
    ;[north, east] = [north + next(), east + next()]
    line.push([north / DIGITS, east / DIGITS])
  }
  return line
}
