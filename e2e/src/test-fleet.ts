import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { DeviceHealth, DriverIssue, Play } from '@roadshow/contract'
import { callAs, expect } from './world.ts'

/** A device of a truck, paired as a real one is. */
async function pairedDevice(page: Page, truckUid: string, kind: 'driver' | 'player') {
  const macAddress = ['02', ...randomBytes(5).toString('hex').toUpperCase().match(/../g)!].join(':')
  const data = async <T>(call: string, body: object) => {
    const answer = (await (await callAs(page, 'POST', call, body)).json()) as { data: T }
    expect(answer).toMatchObject({ data: {} })
    return answer.data
  }
  const { uid } = await data<{ uid: string }>('devices/', { truckUid, kind, macAddress })
  const { code } = await data<{ code: string }>(`devices/${uid}/code`, {})
  const { key } = await data<{ key: string }>('devices/pair', { macAddress, code })
  return { clientType: kind, macAddress, key }
}

/** Sends one event over a socket of a device; answers the raw answer. */
const sendEvent = (page: Page, handshake: object, event: string, payload: unknown) =>
  page.evaluate(
    ([auth, message]) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`ws://${location.host}/socket.io/?EIO=4&transport=websocket`)
        socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
          if (data.startsWith('0')) socket.send(`40${auth}`)
          else if (data.startsWith('40')) socket.send(`420${message}`)
          else if (data.startsWith('4')) {
            resolve(data)
            socket.close()
          }
        })
      }),
    [JSON.stringify(handshake), JSON.stringify([event, payload])] as const,
  )

/** A driver tells of something that is wrong with a truck. */
export async function reportIssue(page: Page, truckUid: string, issue: Pick<DriverIssue, 'kind' | 'text'>) {
  const handshake = await pairedDevice(page, truckUid, 'driver')
  const report = { eventId: randomBytes(8).toString('hex'), at: new Date().toISOString(), ...issue }
  expect(await sendEvent(page, handshake, 'driver-issue', [report])).toContain('accepted')
}

/** A player tells what it has shown, and how it is. */
export async function reportPlays(page: Page, truckUid: string, plays: Play[], health: DeviceHealth) {
  const handshake = await pairedDevice(page, truckUid, 'player')
  expect(await sendEvent(page, handshake, 'player-plays', plays)).toContain('accepted')
  await sendEvent(page, handshake, 'device-health', health)
}
