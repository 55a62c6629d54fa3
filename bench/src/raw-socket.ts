import { WebSocket } from 'ws'

const nameIn = (data: Buffer) => /^42\["([^"]+)"/.exec(data.toString('latin1', 0, 60))?.[1] ?? ''

/**
 * Speaks the protocol of Socket.IO without its client, which would read every message: five hundred of them in one
 * process would be all that is measured.
 */
export class RawSocket {
  /** Called with the name of each event that arrives, and all of it on demand. */
  onEvent: (name: string, text: () => string) => void = () => {}
  readonly #socket: WebSocket
  readonly #answers = new Map<string, (text: string) => void>()
  #asked = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
  }

  static open(url: string, auth: object): Promise<RawSocket> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
      perMessageDeflate: false,
      skipUTF8Validation: true,
      maxPayload: 0,
    })
    const raw = new RawSocket(socket)
    return new Promise((resolve, reject) => {
      socket.on('error', reject)
      socket.on('message', (data: Buffer) => {
        const start = data.toString('latin1', 0, 2)
        if (start[0] === '0') socket.send(`40${JSON.stringify(auth)}`)
        else if (start[0] === '2') socket.send('3')
        else if (start === '40') resolve(raw)
        else if (start === '44') reject(new Error(data.toString()))
        else if (start === '42') raw.onEvent(nameIn(data), () => data.toString())
        else if (start === '43') raw.#answer(data)
      })
    })
  }

  #answer(data: Buffer): void {
    const id = /^43(\d+)/.exec(data.toString('latin1', 0, 20))?.[1] ?? ''
    this.#answers.get(id)?.(data.toString('utf8', 2 + id.length))
    this.#answers.delete(id)
  }

  /** Sends an event and waits until it is answered. */
  ask(event: string, ...payload: string[]): Promise<string> {
    const id = String(this.#asked++)
    return new Promise((resolve) => {
      this.#answers.set(id, resolve)
      this.#socket.send(`42${id}[${[JSON.stringify(event), ...payload].join(',')}]`)
    })
  }

  close(): void {
    this.#socket.terminate()
  }
}
