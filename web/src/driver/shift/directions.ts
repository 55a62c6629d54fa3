/** A link that opens the phone's own map with the way to a place. */
export function directionsUrl(
  { latitude, longitude, name }: { latitude: number; longitude: number; name: string },
  userAgent: string,
): string {
  const place = `${latitude},${longitude}`
  if (/iPhone|iPad|iPod|Macintosh/.test(userAgent)) return `https://maps.apple.com/?daddr=${place}`
  if (userAgent.includes('Android')) return `geo:${place}?q=${place}(${encodeURIComponent(name)})`
  return `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(place)}`
}
