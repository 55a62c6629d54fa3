// This file has no schemas, so that a page that needs only these does not load zod.

// Constants of the specification, §9.
export const API_BASE = '/api/v1'
export const PAGE_SIZE = 10
export const MAX_PAGE_SIZE = 200
export const TIMESTAMP_FORMAT = 'YYYY-MM-DD HH:mm:ss'
export const ERROR_ROW_COLOR = '#FFDEDE'
export const ROW_COLOR = '#FFFFFF'
export const DRAWER_WIDTH = 378
export const LARGE_DRAWER_WIDTH = 736
export const CLIENT_TYPE = 'web'
export const TOKEN_COOKIE = 'token'
export const RESET_COOKIE = 'forgotPasswordUserToken'
export const SAVED_CREDENTIALS = 'savedCredentials'
export const LOGIN_PATH = '/login'
/** Where users set up a second factor that their role needs. */
export const ENROLLMENT_PATH = '/second-factor'

/** Paths of the sign-in pages. */
export const signInPaths: readonly string[] = [LOGIN_PATH, ENROLLMENT_PATH, '/forgot-password', '/unauthorized']

/** Where the player of a truck's screen is opened. */
export const PLAYER_PATH = '/player'

/** Where drivers open the app on their phones. */
export const DRIVER_PATH = '/driver'

/** Where a screen's own GPS bridge listens (deploy/player): on its machine only. */
export const GPS_BRIDGE_URL = 'ws://127.0.0.1:2948'

/** The uuid that no record has. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

/** The part of a multipart call that carries its body, as JSON. */
export const DATA_PART = 'data'

// Error catalogue of the specification, §8.
export const DEFAULT_ERROR = 'Something went wrong'

/** "Today" of a call that names neither a day nor a market: the day in this zone of the country's middle. */
export const DEFAULT_ZONE = 'America/Chicago'

/** What the server fills in for days that a call leaves out. */
export const FILLED_TODAY = 'today, US Central'
export const FILLED_MONDAY = 'Monday of this week, US Central'
export const FILLED_WEEK = { from: FILLED_MONDAY, to: 'six days after the first day' }

export const METERS_PER_MILE = 1609.344
