import { importDescription } from '../platform/imports.ts'

const DATES = 'Dates are month/day/year, such as 7/4/2026, “Jul 4, 2026” or 2026-07-04.'
const UNCHANGED = 'Values without a column in the file do not change.'

export const truckImport = importDescription({
  nouns: ['truck', 'trucks'],
  screen: '/trucks',
  columns: {
    number: [
      'Number',
      'Truck',
      'Truck number',
      'Truck no',
      'Truck name',
      'Truck id',
      'Unit',
      'Unit number',
      'Unit no',
      'Vehicle',
      'Vehicle number',
      'Vehicle no',
      'Vehicle id',
      'Asset',
      'Name',
    ],
    plate: ['Plate', 'License plate', 'License', 'License no', 'Plate number', 'Plate no', 'Tag', 'Registration'],
    vin: ['VIN', 'VIN number', 'VIN no', 'Chassis', 'Serial number'],
    kind: ['Kind', 'Type', 'Truck type', 'Vehicle type', 'Body'],
    state: ['State', 'Status', 'Truck status'],
    homeMarket: ['Home market', 'Market', 'Home base', 'Base', 'Home city', 'City', 'DMA', 'Metro'],
    pixelMap: ['Pixel map', 'Pixel', 'Screen layout', 'Screens'],
    geotabDeviceId: ['Geotab device', 'Geotab', 'Geotab id', 'Geotab device id', 'Tracker', 'Tracker id', 'GPS device'],
    note: ['Note', 'Notes', 'Comment', 'Comments', 'Remarks'],
  },
  required: ['number'],
  leftOut: ['Player', 'Updated'],
  rules: [
    'A row with the number of a truck changes that truck. A new truck without a kind has LED screens, without a state it is active.',
    UNCHANGED,
  ],
  examples: [
    { number: 'T-101', plate: 'HDK 2291', vin: '1FDXE4FS9KDC12345', kind: 'LED screens', state: 'Active' },
    { number: 'T-102', plate: 'HDK 2292', kind: 'Printed boards', state: 'In shop', note: 'Back from paint in May.' },
  ],
})

export const userImport = importDescription({
  nouns: ['user', 'users'],
  screen: '/users',
  columns: {
    name: ['Name', 'Full name', 'Driver', 'Driver name', 'Employee', 'Employee name', 'User'],
    email: ['Email', 'Email address', 'E-mail', 'Mail', 'Login'],
    phone: ['Phone', 'Phone number', 'Phone no', 'Cell', 'Cell phone', 'Mobile', 'Telephone'],
    role: ['Role', 'Position', 'Type'],
    modules: ['Modules', 'Permissions', 'Rights', 'Access'],
    client: ['Client', 'Company', 'Customer', 'Advertiser'],
    payrollId: ['Payroll id', 'Payroll no', 'Employee id', 'Employee no', 'File no', 'File number', 'ADP'],
    language: ['Language', 'Lang'],
  },
  required: ['name', 'email'],
  leftOut: ['Half day today ($)', '8-hour day today ($)', '12-hour day today ($)', 'Last seen', 'Deleted', 'Updated'],
  rules: [
    'A row with the email address of a user changes that user. A new user without a role is a driver, and gets the modules of the role.',
    'Pay rates are imported by themselves.',
    UNCHANGED,
  ],
  examples: [
    { name: 'Dana Reed', email: 'dana.reed@example.com', phone: '(713) 555-0142', role: 'Driver', payrollId: '1042' },
    { name: 'Sam Ortega', email: 'sam.ortega@example.com', phone: '713-555-0143', role: 'Sales' },
  ],
})

export const clientImport = importDescription({
  nouns: ['client', 'clients'],
  screen: '/clients',
  columns: {
    name: ['Name', 'Client', 'Client name', 'Company', 'Company name', 'Customer', 'Advertiser', 'Account'],
    contacts: ['Contacts', 'All contacts'],
    contactName: ['Contact', 'Contact name', 'Contact person', 'Person'],
    contactTitle: ['Contact title', 'Title', 'Job title', 'Position'],
    contactEmail: ['Contact email', 'Email', 'E-mail', 'Email address'],
    contactPhone: ['Contact phone', 'Phone', 'Phone number', 'Telephone', 'Cell', 'Mobile'],
    note: ['Note', 'Notes', 'Comment', 'Comments', 'Remarks'],
  },
  required: ['name'],
  leftOut: ['Programs', 'Updated'],
  rules: [
    'A row with the name of a client changes that client. Several rows with one name are one client with several contacts.',
    'The column Contacts holds all contacts of a client, one on each line: name, title, email, phone. It replaces the contacts there are; rows of single contacts add to them.',
    UNCHANGED,
  ],
  examples: [
    {
      name: 'Acme Foods',
      contactName: 'Kim Park',
      contactTitle: 'Marketing director',
      contactEmail: 'kim.park@example.com',
      contactPhone: '(713) 555-0170',
      note: 'Pays by quarter.',
    },
    { name: 'Acme Foods', contactName: 'Lee Moss', contactEmail: 'lee.moss@example.com' },
  ],
})

export const marketImport = importDescription({
  nouns: ['market', 'markets'],
  screen: '/trucks',
  columns: {
    name: ['Name', 'Market', 'Market name', 'City', 'Metro', 'DMA'],
    state: ['State', 'ST'],
    zone: ['Zone', 'Time zone', 'Timezone', 'TZ'],
    latitude: ['Latitude', 'Lat'],
    longitude: ['Longitude', 'Lng', 'Long', 'Lon'],
    radius: ['Radius (miles)', 'Radius', 'Radius miles', 'Miles'],
    outline: ['Outline', 'Corners', 'Area'],
    depots: ['Depots', 'Yards'],
    zip: ['ZIP', 'ZIP code', 'Zipcode', 'Postal code'],
  },
  required: ['name'],
  leftOut: [],
  rules: [
    'A row with the name and state of a market changes that market. Without latitude and longitude a new market lies around its ZIP code, 30 miles unless a radius is given; without a time zone it has the one of that place.',
    'Outline: corners as latitude longitude; …  Depots: name (latitude longitude, feet); …',
    UNCHANGED,
  ],
  examples: [
    { name: 'Houston', state: 'TX', zone: 'America/Chicago', latitude: '29.7604', longitude: '-95.3698', radius: '35' },
    { name: 'Dallas', state: 'TX', zip: '75201' },
  ],
})

export const programImport = importDescription({
  nouns: ['program', 'programs'],
  screen: '/client-programs',
  columns: {
    client: ['Client', 'Client name', 'Customer', 'Advertiser', 'Company'],
    name: ['Name', 'Program', 'Program name', 'Client program', 'Campaign', 'Campaign name'],
    status: ['Status', 'State'],
    startsOn: ['Starts', 'Start', 'Start date', 'Starts on', 'From', 'Begin'],
    endsOn: ['Ends', 'End', 'End date', 'Ends on', 'To', 'Until'],
    markets: ['Markets', 'Program markets', 'Cities'],
    popUrl: ['POP address', 'POP URL', 'POP'],
    spotSeconds: ['Spot length in seconds', 'Spot length', 'Spot seconds'],
    note: ['Note', 'Notes', 'Comment', 'Comments', 'Remarks'],
    booked: ['Booked', 'Booked lines'],
    market: ['Market', 'Line market', 'City', 'DMA'],
    unit: ['Unit', 'Booked unit', 'Units'],
    amount: ['Amount', 'Quantity', 'Qty', 'Booked amount'],
    lineStartsOn: ['Line starts', 'Line start', 'Flight start'],
    lineEndsOn: ['Line ends', 'Line end', 'Flight end'],
    price: ['Price', 'Rate', 'Line price', 'Cost', 'Total'],
  },
  required: ['client', 'name'],
  leftOut: ['Updated'],
  rules: [
    'A row with the client and name of a program changes that program. Several rows with both are one program with several booked lines.',
    'A booked line has a market, a unit (truck-days, hours, miles or plays) and an amount; without days of its own it runs as long as the program. Its market is added to the program.',
    'The columns Markets and Booked hold all of them in one cell, as the export writes them, and replace those there are.',
    `A new program without a status is a draft, and without a POP address gets one made of its name. ${DATES}`,
    UNCHANGED,
  ],
  examples: [
    {
      client: 'Acme Foods',
      name: 'Summer Sale',
      status: 'Draft',
      startsOn: '6/1/2026',
      endsOn: '8/31/2026',
      market: 'Houston, TX',
      unit: 'Truck-days',
      amount: '60',
      price: '$54,000.00',
    },
    {
      client: 'Acme Foods',
      name: 'Summer Sale',
      market: 'Dallas, TX',
      unit: 'Plays',
      amount: '20,000',
      lineStartsOn: '7/1/2026',
      lineEndsOn: '7/31/2026',
    },
  ],
})

export const sdAddressImport = importDescription({
  nouns: ['SD address set', 'SD address sets'],
  screen: '/gps-addresses',
  columns: {
    client: ['Client', 'Client name', 'Customer', 'Advertiser', 'Company'],
    program: ['Program', 'Program name', 'Client program', 'Campaign'],
    set: ['Set', 'SD set', 'SD address set', 'Address set', 'List', 'Set name'],
    setNote: ['Set note'],
    label: ['Label', 'Name', 'Store', 'Store name', 'Location', 'Location name', 'Title', 'Place'],
    address: ['Address', 'Street', 'Street address', 'Full address', 'Address line 1', 'Addr'],
    city: ['City', 'Town'],
    state: ['State', 'ST', 'Province'],
    zip: ['ZIP', 'ZIP code', 'Zipcode', 'Postal code', 'Postcode'],
    latitude: ['Latitude', 'Lat', 'Y'],
    longitude: ['Longitude', 'Long', 'Lng', 'Lon', 'X'],
    radius: ['Radius (miles)', 'Radius', 'Radius miles', 'Radius mi', 'Miles'],
    artwork: ['Artwork set', 'Artwork', 'Creative'],
  },
  required: ['program', 'set', 'label'],
  leftOut: ['Located by'],
  rules: [
    'Each row is an address. Rows with the same program and set are one set; a row with the label of an address changes it, and addresses that the file does not name stay.',
    'Without latitude and longitude an address is placed by its ZIP code, marked approximate. Without a radius it is five miles.',
    'A client is needed only if two clients have a program with the same name.',
  ],
  examples: [
    {
      client: 'Acme Foods',
      program: 'Summer Sale',
      set: 'Stores',
      label: 'Store 12',
      address: '500 Main St',
      city: 'Houston',
      state: 'TX',
      zip: '77002',
      radius: '2',
    },
    {
      client: 'Acme Foods',
      program: 'Summer Sale',
      set: 'Stores',
      label: 'Stadium gate',
      latitude: '29.6847',
      longitude: '-95.4107',
      radius: '0.5',
    },
  ],
})

export const payRateImport = importDescription({
  nouns: ['driver', 'drivers'],
  screen: '/users',
  columns: {
    email: ['Email', 'Email address', 'E-mail', 'Driver email', 'Login'],
    name: ['Name', 'Driver', 'Driver name', 'Employee', 'Employee name', 'Full name'],
    validFrom: ['Valid from', 'From', 'Starting', 'Effective', 'Effective date', 'Date', 'Start date'],
    halfDay: ['Half day ($)', 'Half day', 'Half day pay', 'Half'],
    eightHours: ['8-hour day ($)', '8-hour day', '8 hours', 'Eight hours', '8 hour', 'Full day', 'Day rate'],
    twelveHours: ['12-hour day ($)', '12-hour day', '12 hours', 'Twelve hours', '12 hour', 'Long day'],
  },
  required: ['validFrom', 'halfDay', 'eightHours', 'twelveHours'],
  leftOut: [],
  rules: [
    'Each row is what a driver earns per shift from a day on. A row with the day of a rate changes it; rates that the file does not name stay.',
    `Name a driver by email address, or by full name if it is unique. ${DATES}`,
  ],
  examples: [
    {
      email: 'dana.reed@example.com',
      name: 'Dana Reed',
      validFrom: '1/1/2026',
      halfDay: '$95.00',
      eightHours: '$180.00',
      twelveHours: '$260.00',
    },
  ],
})
