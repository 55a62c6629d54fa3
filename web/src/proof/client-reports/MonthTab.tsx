import { formatDays, formatMinutes, formatMonth } from '@roadshow/contract/platform/dates'
import { formatMileCount } from '@roadshow/contract/platform/distance'
import { formatCount } from '@roadshow/contract/platform/figures'
import { clientMails } from '@roadshow/contract/proof/campaign-mails'
import { adLog } from '@roadshow/contract/proof/ad-log'
import type { PopGrade } from '@roadshow/contract/proof/pop-document'
import { clientReports } from '@roadshow/contract/proof/client-reports'
import type { ClientMonth } from '@roadshow/contract/proof/client-reports'
import { addDays } from '@roadshow/contract/planning/shift-time'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useCall } from '../../api/useCall.ts'
import { useDownload } from '../../api/useDownload.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { FigureLink } from '../../ui/list/FigureLink.tsx'
import { FactTable } from '../../ui/rows/FactTable.tsx'
import type { FactColumn } from '../../ui/rows/FactTable.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { isSentToSomeone, ReportMails, useSending } from '../campaign-mails/ReportMails.tsx'

type Line = ClientMonth['total'] & { name: string; program: string | undefined }

const columnsOf = (report: ClientMonth): FactColumn<Line>[] => [
  { title: 'Program', render: ({ name }) => name },
  { title: 'Shifts', isNumber: true, render: ({ shifts }) => formatCount(shifts) },
  { title: 'Hours', isNumber: true, render: ({ seconds }) => formatMinutes(Math.round(seconds / 60)) },
  { title: 'Miles', isNumber: true, render: ({ metres }) => formatMileCount(metres) },
  {
    title: 'Plays',
    isNumber: true,
    render: ({ plays, program }) => (
      <PlaysFigure report={report} program={program}>
        {formatCount(plays)}
      </PlaysFigure>
    ),
  },
  {
    title: 'Verified plays',
    isNumber: true,
    render: ({ verifiedPlays, program }) => (
      <PlaysFigure report={report} program={program} grade="verified">
        {formatCount(verifiedPlays)}
      </PlaysFigure>
    ),
  },
  { title: 'Photos', isNumber: true, render: ({ photos }) => formatCount(photos) },
]

// The filter of the ad log takes no more.
const MOST_PROGRAMS = 100

interface PlaysFigureProps {
  report: ClientMonth
  /** Undefined for all that are listed. */
  program: string | undefined
  grade?: PopGrade
  children: string
}

/** A number of plays, which leads to them. */
function PlaysFigure({ report: { from, to, programs }, program, grade, children }: PlaysFigureProps) {
  const uids = program === undefined ? programs.map((each) => each.program.uid) : [program]
  if (uids.length > MOST_PROGRAMS) return children
  return (
    <FigureLink list={adLog.list} to="/ad-log" search={{ program: uids, from, to, ...(grade && { grade }) }}>
      {children}
    </FigureLink>
  )
}

/** What all programs of a client delivered in a month, to be downloaded and mailed. */
export function MonthTab({ client }: { client: string }) {
  const [month, setMonth] = useState<string>()
  const found = useCall(
    clientReports.get,
    { params: { uid: client }, query: month ? { month } : {} },
    { keepsOld: true },
  )
  const { busy, refused, fetch } = useDownload()
  const mayMail = useMay(clientMails.save)
  if (found.isError && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines rows={6} />
  const report = found.data
  const lines = report.programs.map(({ program, ...figures }): Line => ({
    name: program.name,
    program: program.uid,
    ...figures,
  }))
  return (
    <Stack gap={4}>
      <Row gap={2} align="center" wrap>
        <Button aria-label="Earlier month" onClick={() => setMonth(addDays(report.from, -1).slice(0, 7))}>
          ‹
        </Button>
        <Button aria-label="Later month" onClick={() => setMonth(addDays(report.to, 1).slice(0, 7))}>
          ›
        </Button>
        <strong className="figures">{formatDays(report.from, report.to)}</strong>
      </Row>
      {lines.length === 0 ? (
        <Soft as="p">No program ran in this month.</Soft>
      ) : (
        <FactTable
          label="Delivered by program"
          columns={columnsOf(report)}
          rows={lines}
          rowKey={({ program, name }) => program ?? name}
          total={{ name: 'Total', program: undefined, ...report.total }}
          isFramed
          isWide
        />
      )}
      {refused && <Alert type="error" role="alert" title={refused} />}
      <div>
        <Button
          loading={busy !== undefined}
          onClick={() =>
            void fetch('pdf', clientReports.get, {
              params: { uid: client },
              query: { month: report.month, format: 'pdf' },
            })
          }
        >
          Download PDF
        </Button>
      </div>
      {mayMail && (
        <ReportMails owner={{ of: 'client', uid: client }} contacts={report.contacts}>
          {(mailing) => isSentToSomeone(mailing, 'monthly') && <SendMonth client={client} report={report} />}
        </ReportMails>
      )}
    </Stack>
  )
}

/** Mails the month that is shown to everyone on the list. */
function SendMonth({ client, report: { month, programs } }: { client: string; report: ClientMonth }) {
  const send = useSave(clientMails.send)
  const act = useSending()
  if (programs.length === 0) return null
  return (
    <div>
      <Button
        loading={send.isPending}
        onClick={() => void act(() => send.mutateAsync({ params: { uid: client }, body: { month } }))}
      >
        Send now: {formatMonth(month)}
      </Button>
    </div>
  )
}
