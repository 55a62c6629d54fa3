import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { constants, open, readFile, unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { StartError } from '../../runtime/start-error.ts'
import type { Folder } from './folder.ts'

export type Claim = { release(): Promise<void> }

/**
 * One running Roadshow per folder. The claim is a listening socket: the kernel grants the name to one process and takes
 * it back when that process ends, however it ends. So a claimed folder is in use and an unclaimed one is not; no pid has
 * to be guessed at, and two starts at the same moment are told apart too.
 */
export async function claim(folder: Folder): Promise<Claim> {
  const socket = createServer((connection) => connection.destroy())
  if (!(await listens(socket, socketName(folder)))) {
    throw new StartError(
      `The data folder ${folder.name} is in use by another running Roadshow. Stop it first, or set DATA_DIR to another folder.`,
    )
  }
  socket.unref()
  return {
    release: async () => {
      if (!socket.listening) return
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** Linux has names without a file; elsewhere the socket is a file that outlives a killed owner. */
const hasFilelessNames = process.platform === 'linux'
const socketName = ({ id }: Folder) => (hasFilelessNames ? `\0${id}` : path.join(tmpdir(), `${id}.sock`))

async function listens(socket: Server, name: string): Promise<boolean> {
  try {
    socket.listen({ path: name, exclusive: true })
    await once(socket, 'listening')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    if (hasFilelessNames || (await answers(name))) return false
    await unlink(name)
    return listens(socket, name)
  }
}

async function answers(name: string) {
  const caller = connect(name)
  try {
    await once(caller, 'connect')
    return true
  } catch {
    return false
  } finally {
    caller.destroy()
  }
}

/** Ends the server that a killed Roadshow left running. Only for the holder of the claim; true if there was one. */
export async function endOrphan(folder: Folder) {
  const pid = await recordedPid(folder)
  if (!pid || !(await servesFolder(pid, folder))) return false
  for (const [signal, seconds] of [
    ['SIGINT', 20],
    ['SIGQUIT', 10],
  ] as const) {
    process.kill(pid, signal)
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(50)) {
      if (!(await servesFolder(pid, folder))) return true
    }
  }
  throw new StartError(
    `The database server of a killed Roadshow (process ${pid}) does not end; end it and start again.`,
  )
}

/**
 * After a crash the pid file may name a process that is something else by now, and PostgreSQL would refuse to start.
 * It skips that check for its own parent, us; its other guard (is the old shared memory still in use?) stays.
 */
export async function releaseStalePidFile({ pidFile }: Folder) {
  // Read before the file is emptied; never through a link, since as root we write into the folder of another account.
  const file = await open(pidFile, constants.O_RDWR | constants.O_NOFOLLOW).catch(() => undefined)
  if (!file) return
  const [, ...rest] = (await file.readFile('utf8')).split('\n')
  const content = [process.pid, ...rest].join('\n')
  await file.truncate()
  await file.write(content, 0)
  await file.close()
}

async function recordedPid({ pidFile }: Folder) {
  return Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10) || undefined
}

/** The folder's id is among the arguments of its server, and they are readable where the process's folder is not. */
async function servesFolder(pid: number, { id }: Folder) {
  const command = await commandOf(pid)
  return /postgres[\0 ]/.test(command) && command.includes(`cluster_name=${id}`)
}

async function commandOf(pid: number): Promise<string> {
  try {
    if (process.platform === 'linux') return await readFile(`/proc/${pid}/cmdline`, 'utf8')
    return (await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)])).stdout
  } catch {
    return ''
  }
}
