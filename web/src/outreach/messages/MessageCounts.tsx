import { messages } from '@roadshow/contract/outreach/messages'
import { FigureLink } from '../../ui/list/FigureLink.tsx'
import { useMessageCounts } from './useMessageCounts.ts'
import styles from './messages.module.css'

const searchOf = (...state: string[]) => ({ state })

/** What is not sent yet in one line; each figure leads to its messages. */
export function MessageCounts() {
  const counts = useMessageCounts()
  if (!counts) return null
  const { waiting, late, dead } = counts
  const figure = (search: { state: string[] }, text: string) => (
    <FigureLink list={messages.list} to="/system/messages" search={search}>
      {text}
    </FigureLink>
  )
  return (
    <p className={`figures ${styles.counts}`} data-dead={dead > 0}>
      {figure(searchOf('waiting', 'late'), `${waiting} waiting`)}
      {figure(searchOf('late'), `${late} late`)}
      {figure(searchOf('dead'), `${dead} not delivered`)}
    </p>
  )
}
