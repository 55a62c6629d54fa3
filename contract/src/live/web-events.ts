import type { ShiftEvents } from '../planning/shifts.ts'
import type { NotificationEvents, SessionEvents } from '../platform/sockets.ts'
import type { LiveTruck } from './fleet.ts'

/** Events that the server sends to web pages. */
export interface ServerToWeb extends SessionEvents, NotificationEvents, ShiftEvents {
  /** The trucks that changed since the last event, at most once a second; to the room `geotab`. */
  'geotab-feed': (trucks: LiveTruck[]) => void
  /** Trucks that the page no longer sees: their shift for the page's client is over, or they are retired. */
  'trucks-left': (truckUids: string[]) => void
  /** Issues were raised, changed or resolved; pages that show them load them again. */
  'issues-changed': () => void
  /** A command for a screen of this truck was given or answered; pages that show it load it again. */
  'screens-changed': (truckUid: string) => void
  /** Photos were added or changed; pages that show them load them again. */
  'photos-changed': () => void
  /** A proposal was accepted or ended; pages that show it load it again. */
  'proposals-changed': () => void
}

/** Events that web pages send. */
export interface WebToServer {
  test: (payload: unknown, answer: (reply: { got: unknown; serverTime: string; clientType: string }) => void) => void
  /** Every truck that the user may see; from then on `geotab-feed` follows. */
  'get-all-geotab-stats': (answer: (reply: { trucks: LiveTruck[] } | { error: string }) => void) => void
}
