import { API_BASE, localDay, type UploadTarget } from '@roadshow/contract'
import { apiTarget, type BenchWorld } from './world.ts'

/** Where each side is on the canvas of the measured screen. */
export const screenSides = {
  driverSide: { x: 0, y: 0, width: 640, height: 240 },
  passengerSide: { x: 0, y: 240, width: 640, height: 240 },
  rear: { x: 640, y: 0, width: 240, height: 240 },
}

/** The length of a spot and of its video. */
export const SPOT_SECONDS = 15

type Post = <T>(path: string, body: object) => Promise<T>

const poster =
  (world: BenchWorld): Post =>
  async <T>(path: string, body: object) => {
    const { url, headers } = apiTarget(world, path)
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { data, error } = (await answer.json()) as { data: T; error?: string }
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${error}`)
    return data
  }

/** A zone in which it is two in the afternoon, so that a shift of this day has gone on for hours. */
function afternoonZone(): string {
  const hours = 14 - new Date().getUTCHours()
  return hours < 0 ? `Etc/GMT+${-hours}` : `Etc/GMT-${hours}`
}

async function uploadVideo(world: BenchWorld, post: Post, content: Buffer): Promise<string> {
  const announced = { purpose: 'artwork', name: 'bench.webm', contentType: 'video/webm', size: content.length }
  const target = await post<UploadTarget>('blob-storage/get-upload-sas', announced)
  const sent = await fetch(new URL(`${target.url}&offset=0`, world.ours), {
    method: 'PUT',
    headers: target.headers,
    body: new Uint8Array(content),
  })
  if (!sent.ok) throw new Error(`The upload was answered ${sent.status}.`)
  return (await post<{ uid: string }>('blob-storage/complete', { fileUid: target.fileUid })).uid
}

let screens = 0

/** A truck on a shift right now that shows a video on all its sides; pairs the screen with a code. */
export async function addScreenTruck(world: BenchWorld, video: Buffer) {
  const post = poster(world)
  const name = `Bench screen ${++screens}`
  const zone = afternoonZone()
  const today = localDay(zone)
  const { uid: marketUid } = await post<{ uid: string }>('markets/', { name, zone })
  const { uid: clientUid } = await post<{ uid: string }>('clients/', { name })
  const { uid: programUid } = await post<{ uid: string }>('client-programs/', {
    clientUid,
    name,
    status: 'active',
    startsOn: today,
    endsOn: today,
    popUrl: name,
    markets: [{ marketUid }],
    spotSeconds: SPOT_SECONDS,
  })
  const fileUid = await uploadVideo(world, post, video)
  const artwork = await post<{ uid: string; filesHash: string }>('artwork-sets/', {
    programUid,
    name,
    driverSideArtworkUid: fileUid,
    passengerSideArtworkUid: fileUid,
    rearArtworkUid: fileUid,
  })
  await post('artwork-sets/approve', {
    uid: artwork.uid,
    filesHash: artwork.filesHash,
    reason: 'Screens of any size show it.',
  })
  const canvas = { name, width: 880, height: 480, pitchUm: 5000, sides: screenSides }
  const { uid: pixelMapUid } = await post<{ uid: string }>('pixel/', canvas)
  const truck = { number: `S-${screens}`, kind: 'led', state: 'active', pixelMapUid }
  const { uid: truckUid } = await post<{ uid: string }>('trucks/', truck)
  const driver = { name, email: `screen-${screens}@example.com`, role: 'driver', modules: ['schedule'] }
  const { userUid: driverUid } = await post<{ userUid: string }>('user/', driver)
  await post('program-schedule/', {
    programUid,
    marketUid,
    truckUid,
    driverUid,
    artworkSetUid: artwork.uid,
    date: today,
    start: '00:00',
    end: '23:30',
  })
  return { truckUid, pair: (code: string) => post('screen-pairings/claim', { truckUid, code }) }
}

/** Frames of videos as the screen of a truck last reported them. */
export async function reportedFrames(world: BenchWorld, truckUid: string): Promise<{ shown: number; dropped: number }> {
  const { headers } = apiTarget(world, '')
  const answer = await fetch(`${world.ours}${API_BASE}/trucks/${truckUid}/screens`, { headers })
  const { data } = (await answer.json()) as {
    data: { health: { screen: { shownFrames: number; droppedFrames: number } | null } | null }[]
  }
  const screen = data[0]?.health?.screen
  return { shown: screen?.shownFrames ?? 0, dropped: screen?.droppedFrames ?? 0 }
}
