import { keepDrafts } from './drafts.ts'
import { savedUserUid } from './session.ts'

/** Whether a part of the console could not be loaded: without network, or because a newer version replaced it. */
export const isMissingPart = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|module script failed|preload CSS|part of the console/i.test(error.message)

/**
 * Fails with an error that the router leaves alone. It would reload the page, which loses what was typed and ends at the
 * browser's error page while there is no network.
 */
export function failAsMissingPart(cause: unknown): never {
  throw isMissingPart(cause) ? new Error('This part of the console could not be loaded.', { cause }) : cause
}

/** Loads the newest version of the page; what was typed is put back. */
export function reloadWithDrafts(): void {
  keepDrafts(savedUserUid())
  location.reload()
}
