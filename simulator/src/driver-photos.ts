import { API_BASE, auth, CLIENT_TYPE, DATA_PART, pops } from '@roadshow/contract'
import type { PlannedShift } from './plan.ts'
import type { LoggedPosition } from './tracker.ts'

/** The means by which drivers take photos: a way to sign in, and a renderer of camera pictures. */
export interface Camera {
  /** Of every driver who was made up. */
  password: string
  /** The file of a photo of a client's truck, with the camera's data in it; nothing for whom it cannot draw. */
  draw: (scene: { client: string; zone: string; at: LoggedPosition; seed: string }) => Promise<Buffer | undefined>
}

export type SendPhoto = (shift: PlannedShift, at: LoggedPosition) => Promise<void>

/** Sends photos as drivers do: signs in as the driver, adds the photo to the driver's shift, and signs out. */
export function photoSender(url: string, { password, draw }: Camera, log: (error: unknown) => void): SendPhoto {
  /** Users with a password of their own are real people. */
  const refused = new Set<string>()

  async function post(path: string, body: string | FormData, token?: string): Promise<Response> {
    const headers = {
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    return fetch(`${url}${API_BASE}/${path}`, { method: 'POST', headers, body })
  }

  async function tokenOf(email: string): Promise<string | undefined> {
    const answer = await post(auth.authenticate.path, JSON.stringify({ email, password, clientType: CLIENT_TYPE }))
    if (!answer.ok) {
      refused.add(email)
      return undefined
    }
    return ((await answer.json()) as { data: { token: string } }).data.token
  }

  async function send(shift: PlannedShift, at: LoggedPosition): Promise<void> {
    const { uid, driverEmail, client, zone } = shift
    if (refused.has(driverEmail)) return
    const content = await draw({ client, zone, at, seed: `${uid} ${at.at}` })
    const token = content && (await tokenOf(driverEmail))
    if (!token) return
    const form = new FormData()
    form.append(DATA_PART, JSON.stringify({ shiftUid: uid }))
    form.append('photos', new Blob([new Uint8Array(content)], { type: 'image/jpeg' }), `IMG_${at.at}.jpg`)
    try {
      await post(pops.addPhotos.path, form, token)
    } finally {
      await post(auth.logout.path, '', token)
    }
  }

  return (shift, at) => send(shift, at).catch(log)
}
