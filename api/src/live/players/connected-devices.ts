import { type DeviceClientType, deviceClientTypes, type ServerToDevice } from '@roadshow/contract'
import { type ClientSocket, connectedSockets, type SocketServer } from '../../platform/sockets/index.ts'

/** The facts that the device channels add to a socket. */
export interface DeviceData {
  clientType: DeviceClientType
  device?: { uid: string; truckUid: string; keyHash: Buffer }
}

export type DeviceServer = SocketServer<ServerToDevice, DeviceData>
export type ConnectedDevice = ClientSocket<ServerToDevice, DeviceData>

/** The devices that are connected to this node. */
export const connectedDevices = (io: DeviceServer): ConnectedDevice[] => connectedSockets(io, ...deviceClientTypes)
