import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { DriverIssue } from '@roadshow/contract'
import { callAs, expect } from './world.ts'

/** A driver app of a truck, paired as a device is. */
async function pairedDriver(page: Page, truckUid: string) {
  const macAddress = ['02', ...randomBytes(5).toString('hex').toUpperCase().match(/../g)!].join(':')
  const data = async <T>(call: string, body: object) => {
    const answer = (await (await callAs(page, 'POST', call, body)).json()) as { data: T }
    expect(answer).toMatchObject({ data: {} })
    return answer.data
  }
  const { uid } = await data<{ uid: string }>('devices/', { truckUid, kind: 'driver', macAddress })
  const { code } = await data<{ code: string }>(`devices/${uid}/code`, {})
  const { key } = await data<{ key: string }>('devices/pair', { macAddress, code })
  return { clientType: 'driver', macAddress, key }
}

/** A driver tells of something that is wrong with a truck. */
export async function reportIssue(page: Page, truckUid: string, issue: Pick<DriverIssue, 'kind' | 'text'>) {
  const handshake = await pairedDriver(page, truckUid)
  const report = { eventId: randomBytes(8).toString('hex'), at: new Date().toISOString(), ...issue }
  const answer = await page.evaluate(
    ([auth, batch]) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`ws://${location.host}/socket.io/?EIO=4&transport=websocket`)
        socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
          if (data.startsWith('0')) socket.send(`40${auth}`)
          else if (data.startsWith('40')) socket.send(`420["driver-issue",${batch}]`)
          else if (data.startsWith('4')) {
            resolve(data)
            socket.close()
          }
        })
      }),
    [JSON.stringify(handshake), JSON.stringify([report])] as const,
  )
  expect(answer).toContain('accepted')
}
