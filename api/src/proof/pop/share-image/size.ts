/** The size that link previews ask for, in pixels. */
export const SHARE_IMAGE = { width: 1200, height: 630 }
