import { hostileFiles } from '@roadshow/test-kit/hostile/files'
import { type Recipient, sendHostileFile } from '@roadshow/test-kit/hostile/send'

/** Sends hostile files as often as it is asked: a message says how many there are, and one how each round ended. */
const files = await hostileFiles()

/** Each of the senders sends the next file as soon as the one before is answered. */
async function sendAll(people: readonly Recipient[]): Promise<void> {
  const waiting = [...files]
  const sendSome = async (recipient: Recipient) => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const { status, sentence } = await sendHostileFile(recipient, file)
      if (status >= 500) throw new Error(`${file.what}: ${status} ${sentence}`)
    }
  }
  await Promise.all(people.map(sendSome))
}

process.on('message', (people: Recipient[]) => {
  void sendAll(people)
    .then(() => '')
    .catch(String)
    .then((failure) => process.send?.(failure))
})
process.send?.(files.length)
