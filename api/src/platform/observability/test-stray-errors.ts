import { setTimeout as sleep } from 'node:timers/promises'
import { asWork, whileRunning } from '../runtime/named-work.ts'
import { catchStrayErrors, openOutput } from './node-output.ts'

/** A process with work whose errors no one catches. It says when it is still there, and ends by one that is of no work. */
const output = openOutput({ isJson: true, redactPath: (path) => path })
catchStrayErrors(output)

const fail = (text: string) => () => {
  throw new Error(text)
}

asWork('simulator', () => {
  setTimeout(fail('in a timer'), 1)
  setTimeout(() => void Promise.resolve().then(fail('in a promise')), 2)
})
await whileRunning('sweep', async () => {
  void Promise.resolve().then(fail('of a job'))
  await sleep(100)
})
output.say('Still here.')
setTimeout(fail('of no work'), 1)
await sleep(10_000)
output.say('It should have ended.')
