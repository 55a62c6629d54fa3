import { spawn } from 'node:child_process'
import { bin, main, root } from './run.mjs'
import { ensureInstalled, ensureNode } from './setup.mjs'

/** Each reloads by itself. When one ends or a signal arrives, all end. */
await main(async () => {
  ensureNode()
  await ensureInstalled({ tools: true })
  // The bundler is one of the packages that were just installed.
  const { watchServer } = await import('./bundle.mjs')
  const running = [
    start(process.execPath, ['--watch', '--watch-preserve-output', await watchServer()], root, {
      PORT: '5001',
      // Passkeys and mailed links belong to the address that people open.
      PUBLIC_URL: process.env['PUBLIC_URL'] ?? 'http://localhost:3000',
    }),
    start(bin('vite'), ['--port', '3000', '--strictPort', '--clearScreen', 'false'], `${root}/web`, {}),
    // The console's own server passes the truck's player on to this one.
    start(bin('vite'), ['--port', '3001', '--strictPort', '--clearScreen', 'false'], `${root}/player`, {}),
  ]
  const endAll = () => {
    for (const child of running) child.kill('SIGTERM')
  }
  process.on('SIGINT', endAll).on('SIGTERM', endAll)
  await Promise.all(running.map((child) => new Promise((ended) => child.on('exit', ended).on('exit', endAll))))
  process.exit()
})

/**
 * Starts a program in its own process group: Ctrl-C reaches it once, from us, and the API has time to stop the database.
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 * @param {Record<string, string>} env
 */
function start(program, args, cwd, env) {
  return spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: 'inherit', detached: true })
}
