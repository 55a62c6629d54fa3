import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { hasProgram, programOf } from './nodes.ts'

const run = promisify(execFile)

/**
 * A root of its own: the programs, settings and state of this machine as they are, and every change to them in memory.
 * Folders of people and projects are not in it, and neither is this machine's Node.
 */
const ROOT = `
set -eu
root=$1/root
mkdir -p "$root"
mount -t tmpfs -o mode=755 tmpfs "$root"
mkdir -p "$root/.changes" "$root/proc" "$root/sys" "$root/dev" "$root/run" "$root/tmp" "$root/root" "$root/opt" "$root/home" "$root/srv" "$root/mnt"
chmod 1777 "$root/tmp"
for folder in usr etc var; do
  mkdir -p "$root/$folder" "$root/.changes/$folder/upper" "$root/.changes/$folder/work"
  mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$root/.changes/$folder/upper,workdir=$root/.changes/$folder/work" "$root/$folder"
done
for folder in bin sbin lib lib64; do [ ! -L "/$folder" ] || ln -s "usr/$folder" "$root/$folder"; done
`

/** What apt-get would have left: the packages that a bare Debian lacks, an empty database cluster, nothing else enabled. */
const PACKAGES = `
set -eu
rm -rf /etc/systemd/system/*.wants /etc/roadshow /etc/postgresql/* /var/lib/postgresql/* /usr/local/bin/*
rm -f /usr/bin/node /usr/bin/nodejs /usr/bin/npm /usr/bin/npx
if ! [ -x /usr/bin/pg_createcluster ] || ! [ -x /usr/sbin/haproxy ] || ! [ -x /usr/bin/curl ] || ! [ -x /usr/bin/openssl ]; then
  apt-get update -q
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends postgresql haproxy curl openssl
  rm -rf /etc/postgresql/* /var/lib/postgresql/*
fi
# The machine has no network, and must not look for newer ones.
rm -rf /var/lib/apt/lists/*
pg_createcluster "$(ls /usr/lib/postgresql | sort -n | tail -1)" main >/dev/null
systemctl --quiet enable postgresql haproxy
`

const MINUTE_MS = 60_000

const NSPAWN = 'systemd-nspawn --quiet --register=no --keep-unit --directory="$1/root"'

/** Whether a machine can be started within this one: by root, with systemd's containers, private mounts and overlays. */
export async function canStartDebian(): Promise<boolean> {
  if (process.getuid?.() !== 0 || !hasProgram('systemd-nspawn') || !hasProgram('nsenter')) return false
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-debian-'))
  const script = `${ROOT}
    test -x /lib/systemd/systemd
    ${NSPAWN} --private-network --pipe true`
  const isFine = await run(programOf('unshare'), ['--mount', 'sh', '-c', script, 'sh', folder], {
    timeout: MINUTE_MS,
  }).then(
    () => true,
    () => false,
  )
  await rm(folder, { recursive: true, force: true })
  return isFine
}

/** A Debian with its own systemd, network, accounts and services, which leaves nothing behind. */
export class BareDebian {
  readonly #folder: string
  readonly #container: ChildProcess
  readonly #init: number
  constructor(folder: string, container: ChildProcess, init: number) {
    this.#folder = folder
    this.#container = container
    this.#init = init
  }

  /** Runs a script as root, in the folder that was handed to the machine. Says what it printed when it fails. */
  async run(script: string): Promise<string> {
    const inside = ['--target', String(this.#init), '--mount', '--uts', '--ipc', '--net', '--pid', '--root']
    const environment = ['env', '-i', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'LANG=C.UTF-8']
    // In a session of its own: a signal to its group must not reach the process that started the machine.
    const shell = ['setsid', '--wait', 'bash', '-c', `set -eu; cd /root/download; ${script}`]
    try {
      const { stdout } = await run('nsenter', [...inside, ...environment, ...shell], { timeout: 4 * MINUTE_MS })
      return stdout
    } catch (error) {
      const { message, stdout, stderr } = error as Error & { stdout: string; stderr: string }
      throw new Error(`${message}\n${stdout}\n${stderr}`, { cause: error })
    }
  }

  async stop(): Promise<void> {
    // With its first process, every other one of the machine ends, and its mounts with them.
    process.kill(this.#init, 'SIGKILL')
    if (this.#container.exitCode === null) await once(this.#container, 'exit')
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/** Starts a bare Debian that finds this folder as /root/download. */
export async function startDebian(download: string): Promise<BareDebian> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-debian-'))
  const files = { root: path.join(folder, 'root.sh'), packages: path.join(folder, 'packages.sh') }
  await writeFile(files.root, ROOT)
  await writeFile(files.packages, PACKAGES)
  const script = `. "$1/root.sh"
    ${NSPAWN} --pipe --bind-ro="$1/packages.sh:/mnt/packages.sh" sh /mnt/packages.sh
    exec ${NSPAWN} --boot --private-network --bind="$2:/root/download" --console=read-only`
  const container = spawn(programOf('unshare'), ['--mount', 'sh', '-c', script, 'sh', folder, download], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const listen = (text: Buffer) => (said = `${said}${text.toString()}`.slice(-20_000))
  container.stdout.on('data', listen)
  container.stderr.on('data', listen)
  const deadline = Date.now() + 5 * MINUTE_MS
  while (!/Reached target.*multi-user/.test(said)) {
    if (Date.now() > deadline) container.kill()
    if (container.exitCode !== null || container.killed) throw new Error(`The machine did not start: ${said}`)
    await sleep(100)
  }
  return new BareDebian(folder, container, await firstProcessOf(container.pid ?? 0))
}

/** The machine's systemd: the one child of the program that started it. */
async function firstProcessOf(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')[0])
}
