import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** A program of node_modules, run by this Node directly: npx would swallow signals. */
export const bin = (/** @type {string} */ name) => path.join(root, 'node_modules/.bin', name)

/**
 * Runs a program to its end. `quiet` returns its output instead of showing it.
 * A signal that ends this process ends the program too.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean }} [options]
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export function run(program, args, { cwd = root, env = process.env, quiet = false } = {}) {
  return new Promise((resolve) => {
    // Programs take PWD for their folder where it leads to it. Through a symbolic link the compiler would find each package
    // under two names.
    const child = spawn(program, args, {
      cwd,
      env: { ...env, PWD: cwd },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    })
    let output = ''
    let stoppedBy = /** @type {NodeJS.Signals | undefined} */ (undefined)
    child.stdout?.on('data', (text) => (output += text))
    child.stderr?.on('data', (text) => (output += text))

    const pass = (/** @type {NodeJS.Signals} */ signal) => {
      stoppedBy = signal
      // Always as SIGINT: on SIGTERM Playwright leaves the server it started behind. A Ctrl-C has reached the child
      // already, as part of the terminal's group; twice would hurry it.
      if (signal === 'SIGTERM' || !process.stdin.isTTY) child.kill('SIGINT')
    }
    process.on('SIGINT', pass).on('SIGTERM', pass)
    const finish = (/** @type {boolean} */ ok) => {
      process.off('SIGINT', pass).off('SIGTERM', pass)
      if (stoppedBy) process.exit(stoppedBy === 'SIGINT' ? 130 : 143)
      resolve({ ok, output })
    }
    child.on('error', (error) => {
      output += `${error.message}\n`
      finish(false)
    })
    child.on('close', (code) => finish(code === 0))
  })
}

/** npm as it was started, or the one on the PATH. @param {string[]} args @param {Parameters<typeof run>[2]} [options] */
export const npm = (args, options) => {
  const cli = process.env.npm_execpath
  return cli?.endsWith('.js') ? run(process.execPath, [cli, ...args], options) : run('npm', args, options)
}

/** An error that the reader can fix; only its message is printed. */
export class StartError extends Error {
  name = 'StartError'
}

let isLog = false

/** From now on sentences are lines of JSON, as the app writes them in production. */
export function sayAsJson() {
  isLog = true
}

export function say(/** @type {string} */ sentence, level = 30) {
  console.log(isLog ? JSON.stringify({ level, time: Date.now(), pid: process.pid, msg: sentence }) : sentence)
}

const FATAL = 60

/** Runs the work of a script. A StartError is printed as one sentence, any other error with its stack. */
export async function main(/** @type {() => Promise<void>} */ work) {
  endWithNpm()
  try {
    await work()
  } catch (error) {
    const isExpected = error instanceof Error && error.name === 'StartError'
    if (isLog) say(isExpected ? error.message : inspect(error), FATAL)
    else console.error(isExpected ? error.message : error)
    process.exit(1)
  }
}

/** npm starts scripts through a shell, and a SIGTERM to npm ends that shell without notifying the script. */
function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 300)
  watch.unref()
}
