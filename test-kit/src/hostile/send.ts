import { API_BASE, contract, DATA_PART, type Endpoint, type UploadTarget } from '@roadshow/contract'
import type { HostileFile } from './files.ts'

/** The server that files are sent to, by whom, and the program that photos are for. */
export interface Recipient {
  url: string
  token: string
  programUid: string
  marketUid: string
}

/** What the server said to a file. */
export interface Answer {
  status: number
  outcome: 'stored' | 'refused'
  /** Why it is refused. */
  sentence: string
}

interface Reply {
  status: number
  body: { data?: unknown; error?: string; fields?: Record<string, string> }
}

async function send(recipient: Recipient, { path, method }: Endpoint, body: object | FormData): Promise<Reply> {
  const isForm = body instanceof FormData
  const answer = await fetch(`${recipient.url}${API_BASE}/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${recipient.token}`,
      ...(!isForm && { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  })
  return { status: answer.status, body: (await answer.json()) as Reply['body'] }
}

const answerOf = ({ status, body }: Reply): Answer => ({
  status,
  outcome: status === 200 ? 'stored' : 'refused',
  sentence: Object.values(body.fields ?? {})[0] ?? body.error ?? '',
})

const blobOf = ({ content, contentType }: HostileFile) => new Blob([new Uint8Array(content)], { type: contentType })

/** Announced, sent and verified, as the console does it. */
async function upload(recipient: Recipient, file: HostileFile, purpose: 'artwork' | 'logo'): Promise<Answer> {
  const { name, contentType, content } = file
  const announced = await send(recipient, contract.files.getUploadSas, {
    purpose,
    name,
    contentType,
    size: content.length,
  })
  if (announced.status !== 200) return answerOf(announced)
  const { fileUid, url, method, headers } = announced.body.data as UploadTarget
  await fetch(`${recipient.url}${url}&offset=0`, { method, headers, body: new Uint8Array(content) })
  return answerOf(await send(recipient, contract.files.complete, { fileUid }))
}

async function sendPhoto(recipient: Recipient, file: HostileFile): Promise<Answer> {
  const { programUid, marketUid } = recipient
  const form = new FormData()
  form.append(DATA_PART, JSON.stringify({ programUid, marketUid }))
  form.append('photos', blobOf(file), file.name)
  const reply = await send(recipient, contract.pops.addPhotos, form)
  const [result] = (reply.body.data ?? []) as { outcome: string; error?: string }[]
  if (!result) return answerOf(reply)
  return {
    status: reply.status,
    outcome: result.outcome === 'refused' ? 'refused' : 'stored',
    sentence: result.error ?? '',
  }
}

/** Has a schedule checked, which saves nothing. */
async function sendTable(recipient: Recipient, file: HostileFile): Promise<Answer> {
  const form = new FormData()
  form.append(DATA_PART, JSON.stringify({ save: false }))
  form.append('file', blobOf(file), file.name)
  return answerOf(await send(recipient, contract.shiftUpload.upload, form))
}

/** Sends a file on its way; answers what the server said. */
export function sendHostileFile(recipient: Recipient, file: HostileFile): Promise<Answer> {
  if (file.way === 'photo') return sendPhoto(recipient, file)
  if (file.way === 'table') return sendTable(recipient, file)
  return upload(recipient, file, file.way)
}
