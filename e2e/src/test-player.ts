import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { localDay, type PixelSides, type TruckSide, truckSides, type UploadTarget } from '@roadshow/contract'
import { pngOf, type Rgb } from './png.ts'
import { addClient, addTruck, callAs, dataOf, expect, unique } from './world.ts'

/** The colors of the quarters of a file: top left, top right, bottom left, bottom right. */
export type Quarters = readonly [Rgb, Rgb, Rgb, Rgb]

export interface ArtworkFile {
  name: string
  contentType: string
  width: number
  height: number
  quarters: Quarters
  content: Buffer
}

/** A picture in four colors. */
export function quarteredPng(width: number, height: number, quarters: Quarters): ArtworkFile {
  const rows = Array.from({ length: height }, (_, y) => {
    const [left, right] = y < height / 2 ? [quarters[0], quarters[1]] : [quarters[2], quarters[3]]
    return Array.from({ length: width }, (_each, x) => (x < width / 2 ? left : right))
  })
  const content = pngOf(width, rows)
  return { name: `${unique('art')}.png`, contentType: 'image/png', width, height, quarters, content }
}

interface RecordedVideo {
  width: number
  height: number
  quarters: Quarters
  durationMs: number
  /** VP9 unless it says otherwise. */
  codec?: keyof typeof videoTypes
}

const videoTypes = {
  vp9: { contentType: 'video/webm', mimeType: 'video/webm;codecs=vp9', ending: 'webm' },
  h264: { contentType: 'video/mp4', mimeType: 'video/mp4;codecs=avc1.640028', ending: 'mp4' },
}

/** A video in four colors, recorded by the browser itself. */
export async function quarteredVideo(
  page: Page,
  { width, height, quarters, durationMs, codec = 'vp9' }: RecordedVideo,
): Promise<ArtworkFile> {
  const { contentType, mimeType, ending } = videoTypes[codec]
  const recorded = await page.evaluate(
    async ({ width, height, quarters, durationMs, mimeType }) => {
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width, height })
      const brush = canvas.getContext('2d', { alpha: false })
      const draw = () => {
        for (const [index, color] of quarters.entries()) {
          if (!brush) continue
          brush.fillStyle = `rgb(${color.join(' ')})`
          brush.fillRect((index % 2) * (width / 2), index < 2 ? 0 : height / 2, width / 2, height / 2)
        }
      }
      draw()
      const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType, videoBitsPerSecond: 8_000_000 })
      const parts: Blob[] = []
      recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
      const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve))
      const drawing = setInterval(draw, 30)
      recorder.start()
      setTimeout(() => recorder.stop(), durationMs)
      await stopped
      clearInterval(drawing)
      const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    },
    { width, height, quarters, durationMs, mimeType },
  )
  const content = Buffer.from(recorded, 'base64')
  return { name: `${unique('art')}.${ending}`, contentType, width, height, quarters, content }
}

const post = <T>(page: Page, call: string, body: object) => dataOf<T>(callAs(page, 'POST', call, body))

async function upload(page: Page, { name, contentType, content }: ArtworkFile): Promise<string> {
  const announced = { purpose: 'artwork', name, contentType, size: content.length }
  const target = await post<UploadTarget>(page, 'blob-storage/get-upload-sas', announced)
  const sent = await page.request.put(`${target.url}&offset=0`, { headers: target.headers, data: content })
  expect(sent.status()).toBe(200)
  return (await post<{ uid: string }>(page, 'blob-storage/complete', { fileUid: target.fileUid })).uid
}

export interface TestMap {
  width: number
  height: number
  sides: PixelSides
}

export const addMap = (page: Page, map: TestMap) =>
  post<{ uid: string }>(page, 'pixel/', { name: unique('Zephyr Canvas'), pitchUm: 5000, ...map })

/** A zone in which it is two in the afternoon, so that a shift of this day has gone on for hours and goes on for hours. */
export function afternoonZone(): string {
  const hours = 14 - new Date().getUTCHours()
  // The signs of these names are the other way round.
  return hours < 0 ? `Etc/GMT+${-hours}` : `Etc/GMT-${hours}`
}

/** An approved artwork set of a program. */
export async function addApprovedSet(page: Page, programUid: string, files: Record<TruckSide, ArtworkFile>) {
  const uids = await Promise.all(truckSides.map((side) => upload(page, files[side])))
  const artwork = await post<{ uid: string; name: string; filesHash: string }>(page, 'artwork-sets/', {
    programUid,
    name: unique('Zephyr Art'),
    driverSideArtworkUid: uids[0],
    passengerSideArtworkUid: uids[1],
    rearArtworkUid: uids[2],
  })
  await approve(page, artwork)
  return artwork
}

export const approve = (page: Page, { uid, filesHash }: { uid: string; filesHash: string }) =>
  post(page, 'artwork-sets/approve', { uid, filesHash, reason: 'Screens of any size show it.' })

interface RunningTruck {
  map: TestMap
  files: Record<TruckSide, ArtworkFile>
  /** An SD address of the shift, with artwork of its own. */
  address?: { latitude: number; longitude: number; radiusM: number; files: Record<TruckSide, ArtworkFile> }
  spotSeconds?: number
  truck?: object
}

/** A truck on a shift right now, with approved artwork. */
export async function addRunningTruck(page: Page, { map, files, address, spotSeconds, truck: given }: RunningTruck) {
  const zone = afternoonZone()
  const today = localDay(zone)
  const market = await post<{ uid: string }>(page, 'markets/', { name: unique('Zephyr City'), zone })
  const name = unique('Zephyr Tour')
  const program = await post<{ uid: string }>(page, 'client-programs/', {
    clientUid: (await addClient(page)).uid,
    name,
    status: 'active',
    startsOn: today,
    endsOn: today,
    popUrl: name,
    markets: [{ marketUid: market.uid }],
    ...(spotSeconds && { spotSeconds }),
  })
  const artwork = await addApprovedSet(page, program.uid, files)
  const addressSet = address && (await addAddress(page, program.uid, address))
  const truck = await addTruck(page, { pixelMapUid: (await addMap(page, map)).uid, ...given })
  const driverName = unique('Zoe Park')
  const { userUid } = await post<{ userUid: string }>(page, 'user/', {
    name: driverName,
    email: `${driverName.toLowerCase().replaceAll(' ', '.')}@example.com`,
    role: 'driver',
    modules: ['schedule'],
  })
  await post(page, 'program-schedule/', {
    programUid: program.uid,
    marketUid: market.uid,
    truckUid: truck.uid,
    driverUid: userUid,
    artworkSetUid: artwork.uid,
    addressSetUid: addressSet?.uid ?? null,
    date: today,
    start: '00:00',
    end: '23:30',
  })
  return { truck, program, market, artwork, today, addressUid: addressSet?.addresses[0]?.uid }
}

async function addAddress(page: Page, programUid: string, given: NonNullable<RunningTruck['address']>) {
  const { files, ...place } = given
  const { uid: artworkSetUid } = await addApprovedSet(page, programUid, files)
  return post<{ uid: string; addresses: { uid: string }[] }>(page, 'gps-address-sets/', {
    programUid,
    name: unique('Zephyr Stores'),
    addresses: [{ label: 'Elm Street', locatedBy: 'given', ...place, artworkSetUid }],
  })
}

/** Opens the player and enters the code that it shows, as a dispatcher does. */
export async function pairScreen(player: Page, console: Page, truckUid: string): Promise<string> {
  const code = player.getByRole('heading')
  await expect(code).toHaveText(/^\w{4}-\w{4}$/)
  const { uid } = await post<{ uid: string }>(console, 'screen-pairings/claim', {
    truckUid,
    code: await code.textContent(),
  })
  await expect(player.locator('canvas')).toBeVisible()
  return uid
}

/** The color of single pixels as the browser puts them out. */
export async function shownPixels(page: Page, points: { x: number; y: number }[]): Promise<Rgb[]> {
  const picture = (await page.screenshot()).toString('base64')
  return page.evaluate(
    async ({ picture, points }) => {
      const bytes = Uint8Array.from(atob(picture), (sign) => sign.charCodeAt(0))
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const brush = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
      brush?.drawImage(bitmap, 0, 0)
      return points.map(({ x, y }) => {
        const [red = -1, green = -1, blue = -1] = brush?.getImageData(x, y, 1, 1).data ?? []
        return [red, green, blue] as const
      })
    },
    { picture, points },
  )
}

/** A browser with a disk of its own, which can be killed like a machine that loses power. */
export async function killableBrowser() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-e2e-screen-'))
  const program = process.env['CHROMIUM_PATH'] ?? chromium.executablePath()
  async function start(): Promise<{ browser: Browser; page: Page; kill: () => Promise<void> }> {
    const args = [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
    ]
    const child = spawn(program, [...args, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
    const address = await new Promise<string>((resolve, reject) => {
      let text = ''
      child.stderr.on('data', (part: Buffer) => {
        text += part.toString()
        const found = /DevTools listening on (ws:\S+)/.exec(text)?.[1]
        if (found) resolve(found)
      })
      child.once('exit', () => reject(new Error(`The browser ended: ${text}`)))
    })
    const browser = await chromium.connectOverCDP(address)
    const page = await (browser.contexts()[0] ?? (await browser.newContext())).newPage()
    return {
      browser,
      page,
      async kill() {
        const gone = once(child, 'exit')
        // Its whole process group, so that no part of it finishes its work.
        if (child.pid) process.kill(-child.pid, 'SIGKILL')
        await gone
        await browser.close().catch(() => undefined)
      },
    }
  }
  return { start, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }) }
}

/** The plays that the device itself has completed, and those that wait for an answer. */
const storeOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<{ completed: number; waiting: number }>((resolve, reject) => {
        const opening = indexedDB.open('roadshow-player')
        opening.addEventListener('error', () => reject(new Error('No store.')))
        opening.addEventListener('success', () => {
          const reading = opening.result.transaction(['kept', 'play'])
          const head = reading.objectStore('kept').get('playHead') as IDBRequest<
            { nextSequence: number; open: { plays: unknown[] }[] } | undefined
          >
          const waiting = reading.objectStore('play').count()
          reading.addEventListener('complete', () => {
            opening.result.close()
            const open = head.result?.open.reduce((sum, { plays }) => sum + plays.length, 0) ?? 0
            resolve({ completed: (head.result?.nextSequence ?? 1) - 1 - open, waiting: waiting.result + open })
          })
        })
      }),
  )
export const countedOn = async (page: Page) => (await storeOf(page)).completed
export const waitingOn = async (page: Page) => (await storeOf(page)).waiting

/** What the server knows of the numbers of a device's plays. */
export const numbersOf = (console: Page, deviceUid: string) =>
  dataOf<{ stored: number; missing: number; rejected: number }>(
    callAs(console, 'GET', `devices/${deviceUid}/play-numbers`),
  )

/** Without a pixel map a screen plays nothing, so that what it has counted can be compared. */
export async function stopPlaying(
  console: Page,
  { uid, version, number }: { uid: string; version: number; number: string },
) {
  const fields = { uid, version, number, kind: 'led', state: 'active', pixelMapUid: null }
  await dataOf(callAs(console, 'PUT', 'trucks/', fields))
}
