import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { StartError } from '../runtime/start-error.ts'
import { answerWhileStarting } from './while-starting.ts'

interface Address {
  port: number
  host: string
}

interface Waiting {
  say: (sentence: string) => void
  /** Aborted when this node begins to stop. */
  signal: AbortSignal
}

const POLL_MS = 200
const ANSWER_MS = 3000
/** A port that is taken although nothing answers there: its holder has just let go of it, or listens elsewhere. */
const SILENT_TRIES = 10

/**
 * Answers on the port from now on that this node is starting; settles with what ends that. The port of a node that is
 * stopping, such as this one before its restart, is waited for.
 */
export async function takePort(address: Address, { say, signal }: Waiting): Promise<() => Promise<void>> {
  let hasSaid = false
  for (let silent = 0; ;) {
    try {
      return await answerWhileStarting(address.port, address.host, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      const holder = await holderOf(address)
      if (holder === 'running') {
        throw new StartError(
          `Port ${address.port} is taken by another running Roadshow. Stop it first, or set PORT to a free one.`,
          { cause: error },
        )
      }
      silent = holder === 'silent' ? silent + 1 : 0
      if (holder === 'other' || silent === SILENT_TRIES) throw error
      if (holder === 'stopping' && !hasSaid)
        say(`The Roadshow at port ${address.port} is still stopping. Waiting for it.`)
      hasSaid ||= holder === 'stopping'
    }
    await sleep(POLL_MS, undefined, { signal })
  }
}

const health = z.object({ alive: z.literal(true), version: z.string(), stopping: z.boolean().optional() })

/** What listens at an address, by what it answers at /healthz. */
async function holderOf({ port, host }: Address): Promise<'stopping' | 'running' | 'other' | 'silent'> {
  const local = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
  const url = `http://${local.includes(':') ? `[${local}]` : local}:${port}/healthz`
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) })
    const { data } = health.safeParse(await answer.json())
    if (!data) return 'other'
    return data.stopping ? 'stopping' : 'running'
  } catch (error) {
    // Not JSON, or no answer in time.
    return error instanceof TypeError ? 'silent' : 'other'
  }
}

/** Says why a node cannot listen at its address. */
export function explainAddress(error: unknown, { port, host }: Address): never {
  const { code } = error as { code?: string }
  if (code === 'EADDRINUSE') throw new StartError(`Port ${port} is taken by another program. Set PORT to a free one.`)
  if (code === 'EACCES') throw new StartError(`Port ${port} may not be used by this account. Set PORT to another one.`)
  if (code && ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code))
    throw new StartError(
      `This machine has no address ${host}. Set HOST to one of its own, to 0.0.0.0 for all of IPv4, or to :: for all.`,
    )
  throw error
}
