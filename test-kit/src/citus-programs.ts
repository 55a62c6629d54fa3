import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

interface Installation {
  /** The folder of `initdb` and `postgres`. */
  programs: string
  /** The folder that holds the extensions. */
  share: string
}

// Debian keeps each version of PostgreSQL in a folder of its own, out of the search path.
const [DEBIAN_PROGRAMS, DEBIAN_SHARE] = ['/usr/lib/postgresql', '/usr/share/postgresql']

const ofDebian = (): Installation[] =>
  existsSync(DEBIAN_PROGRAMS)
    ? readdirSync(DEBIAN_PROGRAMS).map((version) => ({
        programs: path.join(DEBIAN_PROGRAMS, version, 'bin'),
        share: path.join(DEBIAN_SHARE, version),
      }))
    : []

function ofSearchPath(): Installation[] {
  try {
    const [programs = '', share = ''] = execFileSync('pg_config', ['--bindir', '--sharedir'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).split('\n')
    return [{ programs, share }]
  } catch {
    return []
  }
}

/** The programs of a PostgreSQL on this machine that has Citus, if there is one. */
export const findCitus = (): string | undefined =>
  [...ofSearchPath(), ...ofDebian()].find(
    ({ programs, share }) =>
      existsSync(path.join(share, 'extension/citus.control')) && existsSync(path.join(programs, 'initdb')),
  )?.programs
