import { COMMAND_SECONDS, type DeviceCommand, deviceCommandAnswer } from '@roadshow/contract'
import type { App } from '../../platform/http/app.ts'
import { commandResult } from './command-rules.ts'
import { storeAnswer, takeWaiting } from './commands.ts'
import { type ConnectedDevice, connectedDevices, type DeviceServer } from './connected-devices.ts'

/**
 * Passes commands to the connections of a device on this node, and stores its answer. A device may be connected twice for
 * a moment, so each connection gets the command; it carries an id, and the first answer counts.
 */
export function commandDelivery(app: App, io: DeviceServer) {
  const { db } = app.kernel

  /** Resolves when the answer is stored; without one the command expires. */
  async function ask(socket: ConnectedDevice, command: DeviceCommand): Promise<void> {
    let reply: unknown
    try {
      reply = await socket.timeout(COMMAND_SECONDS * 1000).emitWithAck('device-command', command)
    } catch {
      return
    }
    const { data } = deviceCommandAnswer.safeParse(reply)
    const answer = data ?? { result: 'refused' as const, reason: "The screen's answer could not be read." }
    await storeAnswer(db, app.blobs, command.commandUid, commandResult(command.kind, answer))
  }

  async function passTo(sockets: readonly ConnectedDevice[], deviceUid: string): Promise<void> {
    for (const command of await takeWaiting(db, deviceUid)) {
      // Answers take their time: the node does not wait for them when it stops.
      for (const socket of sockets) ask(socket, command).catch(app.kernel.log)
    }
  }

  const isOf = (deviceUid: string) => (socket: ConnectedDevice) =>
    socket.data.device?.uid === deviceUid && socket.data.clientType !== 'driver'

  return {
    /** A device that has just come gets what waits for it. */
    deliverTo(socket: ConnectedDevice): void {
      const uid = socket.data.device?.uid
      if (uid) app.kernel.inBackground(passTo([socket], uid).catch(app.kernel.log))
    },
    onAsked(deviceUid: string): void {
      const sockets = connectedDevices(io).filter(isOf(deviceUid))
      // Other nodes have its connections: this one does not touch the command.
      if (sockets.length === 0) return
      app.kernel.inBackground(passTo(sockets, deviceUid).catch(app.kernel.log))
    },
  }
}
