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

/** The uuid that no record has. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

/** The part of a multipart call that carries its body, as JSON. */
export const DATA_PART = 'data'

// Error catalogue of the specification, §8.
export const DEFAULT_ERROR = 'Something went wrong'
