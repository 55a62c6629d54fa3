import type { NotificationEvents } from '@roadshow/contract'
import { defineSockets } from '../../platform/sockets/index.ts'

const EVERYONE = 'notifications'
const roomOf = (userUid: string) => `notifications:${userUid}`

/** Tells the open pages of a user that their notifications changed. It sends none: the next call decides what they see. */
export const notificationSockets = () =>
  defineSockets<NotificationEvents>((io) => ({
    webRooms: ({ uid }) => [EVERYONE, roomOf(uid)],
    subscriptions: {
      notifications_changed: (userUid) => void io.to(roomOf(userUid)).emit('notifications-changed'),
    },
    onReconnect: () => void io.to(EVERYONE).emit('notifications-changed'),
  }))
