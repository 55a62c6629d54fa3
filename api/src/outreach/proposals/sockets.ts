import { rowAccessFor, salesProposals, type ServerToWeb } from '@roadshow/contract'
import { defineSockets } from '../../platform/sockets/index.ts'

const PROPOSALS = 'proposals'

/** Tells open pages of staff that a proposal changed, such as by a client who accepts it. It sends none. */
export const proposalSockets = () =>
  defineSockets<Pick<ServerToWeb, 'proposals-changed'>>((io) => {
    const tell = () => void io.to(PROPOSALS).emit('proposals-changed')
    return {
      webRooms: (user) => (rowAccessFor(user, salesProposals.list.access) ? [PROPOSALS] : []),
      subscriptions: { proposals_changed: tell },
      onReconnect: tell,
    }
  })
