// This file runs in a thread of its own: building the dictionaries and measuring a hostile password take long, and the
// server goes on meanwhile. It is JavaScript, so that Node starts it from the sources (tests) as from `dist`; its types are
// checked.
import { parentPort } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { dictionary as english } from '@zxcvbn-ts/language-en'

const meter = new ZxcvbnFactory({
  dictionary: { ...common, ...english },
  graphs: adjacencyGraphs,
  l33tMaxSubstitutions: 20,
})

parentPort?.on('message', (/** @type {import('./strength.ts').StrengthQuestion} */ { passwords, ownWords }) => {
  const scores = passwords.map((password) => meter.check(password, ownWords).score)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort?.postMessage(Math.min(...scores))
})
