import { type DeviceClientType, deviceClientTypes, type ServerToDevice, type ServerToWeb } from '@roadshow/contract'
import { type ClientSocket, connectedSockets, type SocketServer } from '../../platform/sockets/index.ts'

/** The facts that the device channels add to a socket. */
export interface DeviceData {
  clientType: DeviceClientType
  device?: { uid: string; truckUid: string; keyHash: Buffer }
}

/** What devices are sent, and what pages learn of them. */
export type DeviceEvents = ServerToDevice & Pick<ServerToWeb, 'screens-changed'>

export type DeviceServer = SocketServer<DeviceEvents, DeviceData>
export type ConnectedDevice = ClientSocket<DeviceEvents, DeviceData>

/** The devices that are connected to this node. */
export const connectedDevices = (io: DeviceServer): ConnectedDevice[] => connectedSockets(io, ...deviceClientTypes)
