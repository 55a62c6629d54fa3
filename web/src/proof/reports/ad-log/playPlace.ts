import { formatDistance, metersBetween } from '@roadshow/contract/platform/geo'
import type { Point } from '@roadshow/contract/platform/geo'
import type { LoggedPlay } from '@roadshow/contract/proof/ad-log'

type PlacedPlay = Pick<LoggedPlay, 'latitude' | 'longitude' | 'address' | 'market' | 'marketCenter'>

const WINDS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW']
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** In which of eight directions a place lies. */
function windOf(from: Point, to: Point): string {
  const east = (to.longitude - from.longitude) * Math.cos(radians(from.latitude))
  const turn = Math.atan2(east, to.latitude - from.latitude) / (2 * Math.PI)
  return WINDS[(Math.round(turn * WINDS.length) + WINDS.length) % WINDS.length] ?? ''
}

/** Where the player was, if it knew. */
export const positionOf = ({ latitude, longitude }: PlacedPlay): Point | undefined =>
  latitude === null || longitude === null ? undefined : { latitude, longitude }

const coordinates = ({ latitude, longitude }: Point) => `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`

/** A place in words: the SD address that the play was for, or how far it lies from the center of the market. */
export function placeText(play: PlacedPlay): string | undefined {
  if (play.address) return `At ${play.address.name}`
  const at = positionOf(play)
  if (!at || !play.marketCenter) return at && coordinates(at)
  const meters = metersBetween(play.marketCenter, at)
  return `${formatDistance(meters)} ${windOf(play.marketCenter, at)} of ${play.market.name}`
}

/** A street map with a pin at a place. */
export const mapUrl = ({ latitude, longitude }: Point): string =>
  `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
