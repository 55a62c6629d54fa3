import { services } from '@roadshow/contract/console/services'
import { setup } from '@roadshow/contract/console/setup'
import type { SetupRow, SetupState } from '@roadshow/contract/console/setup'
import { Link, useNavigate } from '@tanstack/react-router'
import { Button } from 'antd'
import { useState } from 'react'
import { useCall } from '../../api/useCall.ts'
import { useSave } from '../../api/useSave.ts'
import { errorMessage } from '../../api/call.ts'
import { agoText } from '../../live/facts/ages.ts'
import { List, Row, Soft, Stack } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { useNow } from '../../ui/useNow.ts'
import { lazyOverlay } from '../../ui/lazyPart.tsx'
import { setupPlaces } from './places.ts'
import styles from './setup.module.css'

const stateLabel: Record<SetupState, string> = { done: 'Done', waiting: 'Waiting', open: 'To do' }

const EmptyDemoDialog = lazyOverlay(
  () => import('./EmptyDemoDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** What is left until the first proof. Every line ticks itself; what arrives says how long ago. */
export default function SetupPage() {
  const found = useCall(setup.get, {}, { refetchOnMount: 'always' })
  const dismiss = useSave(setup.dismiss)
  const now = useNow(1000)
  if (found.isError && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines rows={12} />
  const { rows, done, total, isUnfinished, greeting } = found.data
  return (
    <Stack gap={4} className={styles.page}>
      <OwnData />
      <Row gap={3} align="center" wrap between>
        <strong role="status">
          {done} of {total} done
        </strong>
        <Row gap={2} wrap>
          {greeting && <PlaceButton to="/welcome">Continue the welcome</PlaceButton>}
          {isUnfinished && (
            <Button loading={dismiss.isPending} onClick={() => dismiss.mutate({ body: { isDismissed: true } })}>
              Put this list away
            </Button>
          )}
        </Row>
      </Row>
      <List as="ol" divided className={styles.rows} aria-label="What is left to set up">
        {rows.map((row) => (
          <SetupLine key={row.key} row={row} now={now} />
        ))}
      </List>
    </Stack>
  )
}

function SetupLine({ row: { key, state, text, at }, now }: { row: SetupRow; now: number }) {
  const { title, why, places } = setupPlaces[key]
  return (
    <li className={styles.row} data-state={state}>
      <span className={styles.mark} role="img" aria-label={stateLabel[state]} />
      <div className={styles.what}>
        <strong>{title}</strong>
        <Soft>{why}</Soft>
      </div>
      <span className={styles.state}>
        {text}
        {at !== null && Date.parse(at) <= now + 1000 && `, ${agoText(at, now)}`}
      </span>
      <Row gap={2} right wrap className={styles.acts}>
        {places.map(({ label, to, search }) => (
          <PlaceButton key={label} to={to} search={search} name={`${label}: ${title}`}>
            {label}
          </PlaceButton>
        ))}
        {key === 'mail' && <TestMailButton />}
      </Row>
    </li>
  )
}

interface PlaceButtonProps {
  to: string
  search?: Record<string, unknown> | undefined
  name?: string
  children: string
}

function PlaceButton({ to, search, name, children }: PlaceButtonProps) {
  const navigate = useNavigate()
  return (
    <Button
      {...(name !== undefined && { 'aria-label': name })}
      onClick={() => void navigate({ to, search: search ?? {} } as never)}
    >
      {children}
    </Button>
  )
}

function TestMailButton() {
  const send = useSave(services.testConnection)
  const notice = useNotice()
  const test = () =>
    void send.mutateAsync({ body: { key: 'mail' } }).then(
      ({ data }) => notice(data.text),
      (error: unknown) => notice(errorMessage(error)),
    )
  return (
    <>
      <Button loading={send.isPending} onClick={test}>
        Send a test
      </Button>
      <Link to="/system/messages">Messages</Link>
    </>
  )
}

/** For the demo: the way to a company of one's own. */
function OwnData() {
  const standing = useCall(setup.standing, {}).data
  const [isOpen, setOpen] = useState(false)
  if (!standing?.demo) return null
  return (
    <section className={styles.demo} aria-label="Start with your own data">
      <p>
        {standing.demo === 'emptying'
          ? 'The demo is being deleted. You are signed out when it is done.'
          : 'This is a demo: its trucks, clients and people do not exist.'}
      </p>
      {standing.demo === 'loaded' && (
        <Button type="primary" onClick={() => setOpen(true)}>
          Start with your own data
        </Button>
      )}
      {isOpen && <EmptyDemoDialog onClose={() => setOpen(false)} />}
    </section>
  )
}
