import { messageChannelLabel, messages, messageStateLabel } from '@roadshow/contract/outreach/messages'
import type { OutgoingMessageEntry } from '@roadshow/contract/outreach/messages'
import type { Column } from '../../ui/rows/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { localZone, timestamp } from '@roadshow/contract/platform/dates'
import { MessageCounts } from './MessageCounts.tsx'
import { MessageDrawer } from './MessageDrawer.tsx'
import { stateTone } from './messageWords.ts'

const columns: Column<OutgoingMessageEntry>[] = [
  { key: 'at', title: `When (${localZone()})`, width: 190, render: ({ at }) => timestamp(at, localZone()) },
  {
    key: 'state',
    title: 'State',
    width: 140,
    render: ({ state }) => <StateTag tone={stateTone[state]}>{messageStateLabel[state]}</StateTag>,
  },
  { key: 'recipient', title: 'To', width: 240, isLong: true, render: ({ recipient }) => recipient },
  { key: 'subject', title: 'Subject', isLong: true, render: ({ subject }) => subject },
  { key: 'problem', title: 'Reason', width: 280, render: ({ problem }) => problem },
  {
    key: 'channel',
    title: 'Channel',
    width: 100,
    secondary: true,
    render: ({ channel }) => messageChannelLabel[channel],
  },
]

const filters: Filter[] = [
  { key: 'state', label: 'State', words: messageStateLabel },
  { key: 'channel', label: 'Channel', words: messageChannelLabel },
]

/** What left the building in the last 90 days, what waits, and what could not be delivered. */
const MessageList = () => (
  <>
    <MessageCounts />
    <DataTable
      nouns={['message', 'messages']}
      list={messages.list}
      columns={columns}
      filters={filters}
      form={MessageDrawer}
      isError={({ state }) => state === 'dead'}
      empty="No messages in the last 90 days. Every email and push message stands here, with what became of it."
    />
  </>
)

export default MessageList
