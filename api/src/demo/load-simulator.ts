import type * as simulator from '@roadshow/simulator'
import { StartError } from '../platform/runtime/start-error.ts'

/** Loads the simulator on first use: a production install leaves it out. */
export async function loadSimulator(): Promise<typeof simulator> {
  try {
    return await import('@roadshow/simulator')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new StartError('The demo simulator is not installed. Run npm install, or set SIMULATOR=off.')
  }
}
