import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { StartError } from '../../runtime/start-error.ts'

const run = promisify(execFile)

/** The user that runs PostgreSQL; empty for the user that runs the app. */
export type ServerAccount = { uid?: number; gid?: number }

/** The system account that runs PostgreSQL where the app runs as root, as which PostgreSQL refuses to run. */
const NAME = 'roadshow-postgres'
export const NOBODY = { uid: 65534, gid: 65534 } as const

async function idsOf(name: string): Promise<Required<ServerAccount> | undefined> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, name])).stdout)),
    )
    return uid && gid ? { uid, gid } : undefined
  } catch {
    return undefined
  }
}

// Of shadow-utils, and of BusyBox in small containers.
const WAYS = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', NAME],
  ['adduser', '-S', '-D', '-H', '-s', '/sbin/nologin', NAME],
] as const

async function create(): Promise<void> {
  for (const [program, ...args] of WAYS) {
    const isDone = await run(program, args).then(
      () => true,
      () => false,
    )
    if (isDone) return
  }
}

/** An account of its own, created on the first start as root; `nobody` where none can be created. */
export async function dedicatedAccount(): Promise<Required<ServerAccount>> {
  const known = await idsOf(NAME)
  if (known) return known
  await create()
  // Another start may have created it meanwhile.
  return (await idsOf(NAME)) ?? NOBODY
}

export async function giveFolder(folder: string, { uid, gid }: Required<ServerAccount>): Promise<void> {
  try {
    await run('chown', ['-R', '--no-dereference', `${uid}:${gid}`, folder])
  } catch (error) {
    throw new StartError(`Cannot give ${folder} to the account ${uid} of the database: ${(error as Error).message}`)
  }
}
