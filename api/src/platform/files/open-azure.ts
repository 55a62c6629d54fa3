import type { openAzureStore as open } from './azure-store.ts'

/** The client of the account is loaded only where there is one: it takes a tenth of a node's start. */
export const openAzureStore: typeof open = async (...account) =>
  (await import('./azure-store.ts')).openAzureStore(...account)
