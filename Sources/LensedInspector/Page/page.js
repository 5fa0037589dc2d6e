'use strict';
// A session, to be looked at.
//
// 1. Reading: each record is a line of JSON. Of a commit no more is kept than its row shows; what it changed is parsed
//    again when it is asked for.
// 2. States: the nearest snapshot before, and what the commits since then changed.
// 3. Sight: rows, trees and differences exist for what can be seen. Every value goes into the document as text.

// MARK: Reading

const session = {
  head: { parts: [], actions: [], owners: [] },
  lines: [],       // the text of each record
  commits: [],     // the rows, in the order of the session
  snapshots: [],   // {index, line}: before the commit at `index`
  byRevision: new Map(),
  children: new Map(),
  runs: new Map(),       // by store and number
  bars: [],              // the runs, by when they began to wait once that is asked for
  store: 0,              // another one counts commits and runs anew
  areRunsRecorded: false,
  until: -Infinity,      // the last moment of a run
  version: 0,
  notes: new Map(),      // those of commits that are yet to come
  origins: new Set(),
};

const textLimit = 300;

function ingest(line) {
  let record;
  try { record = parse(line); } catch { return; }
  if (record === null || typeof record !== 'object') return;
  const number = session.lines.push(line) - 1;
  switch (record.record) {
    case 'head':
      session.head = {
        ...record, parts: objects(record.parts), actions: objects(record.actions), owners: objects(record.owners),
      };
      break;
    case 'snapshot':
      // Another store counts its commits anew.
      if (record.begins === true) { session.byRevision.clear(); session.store += 1; }
      session.snapshots.push({ index: session.commits.length, line: number });
      break;
    case 'commit': addCommit(record, number); break;
    case 'run': addRun(record); break;
    case 'note': addNote(record); break;
  }
}

// Whole numbers beyond 2⁵³ keep their digits as a BigInt, where the browser says how a number is written.
function parse(line) {
  return /[[,:]\s*-?\d{16}/.test(line) ? JSON.parse(line, exact) : JSON.parse(line);
}

function exact(_, value, context) {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return /^-?\d+$/.test(context?.source) ? BigInt(context.source) : value;
}

BigInt.prototype.toJSON = function () { return JSON.rawJSON(String(this)); };

function list(value) { return Array.isArray(value) ? value : []; }
function isObject(value) { return value !== null && typeof value === 'object' && !Array.isArray(value); }
function objects(value) { return list(value).filter(isObject); }
function members(value) { return isObject(value) ? Object.entries(value) : []; }
function text(value) { return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value); }

function addCommit(record, line) {
  const actions = objects(record.actions);
  const names = actions.map(nameOf);
  const first = actions[0];
  const shown = first === undefined || first.hidden === true ? ''
    : first.value === undefined ? text(first.text) : brief(first.value);
  const parent = typeof record.parent === 'number' && record.parent < record.revision ? record.parent : undefined;
  // What sets off a commit comes before it, so there are no circles.
  const above = parent === undefined ? undefined : session.byRevision.get(parent);
  const cause = text(record.cause);
  const origin = cause === 'action' ? record.origin ?? (record.effect ? 'effect' : 'dispatch') : cause;
  const commit = {
    index: session.commits.length, line,
    revision: Number(record.revision) || 0, time: Number(record.time) || 0,
    cause, origin, effect: record.effect === undefined ? undefined : text(record.effect),
    parent, above, depth: above === undefined ? 0 : Math.min(session.commits[above].depth + 1, 7),
    site: text(record.site), fn: text(record.function),
    isError: record.unhandled === true, isReplayed: record.replayed === true,
    name: names.length === 0 ? titles[cause] ?? cause : names.length > 1 ? `${names[0]} and ${names.length - 1} more` : names[0],
    shown: shown.slice(0, textLimit),
    parts: members(record.changed).map(([name]) => name),
    notes: [],
  };
  commit.key = [
    names.join(' '), commit.shown, commit.effect ?? '', commit.site, commit.fn, commit.parts.join(' '), origin,
  ].join(' ').toLowerCase();
  session.byRevision.set(commit.revision, commit.index);
  session.origins.add(origin);
  if (above !== undefined) {
    const children = session.children.get(above);
    if (children) children.push(commit.index); else session.children.set(above, [commit.index]);
  }
  session.commits.push(commit);
  for (const note of session.notes.get(commit.revision) ?? []) attach(note, commit);
  session.notes.delete(commit.revision);
  if (commit.effect !== undefined && above !== undefined) extendRun(commit);
}

// A table of words has no others than its own.
function words(table) { return Object.assign(Object.create(null), table); }

const titles = words({
  replacement: 'State replaced', asyncResult: 'Result of an asynchronous reducer', placeholder: 'Placeholder',
});

// A value of an action as its type is written in Swift: `add("book")` for a case, `by: 2` for properties.
function brief(json) {
  if (!isObject(json)) return shortened(json);
  const entries = Object.entries(json);
  if (entries.length === 1 && isObject(entries[0][1])) return `${entries[0][0]}${labelled(entries[0][1], true)}`;
  return labelled(json, false);
}

// JSON of which no more is made than is shown.
function shortened(json) {
  if (typeof json === 'string') return JSON.stringify(json.slice(0, textLimit));
  if (Array.isArray(json)) return json.length > 20 ? counted(json.length, 'item') : `[${json.map(shortened).join(', ').slice(0, textLimit)}]`;
  if (isObject(json)) return isHidden(json) ? json.notLogged : Object.keys(json).length > 20 ? '{…}' : `{${labelled(json, false)}}`;
  return JSON.stringify(json) ?? '';
}

function labelled(json, isCase) {
  let all = '';
  for (const name of Object.keys(json)) {
    if (all.length > textLimit) break;
    const value = shortened(json[name]);
    const label = isCase && /^_\d+$/.test(name) ? '' : `${name}: `;
    all += `${all === '' ? '' : ', '}${label}${value}`;
  }
  return isCase && all !== '' ? `(${all})` : all;
}

function nameOf(action) { return text(action.name ?? action.type ?? 'Action'); }

function seconds(value) { return typeof value === 'number' && Number.isFinite(value) ? value : undefined; }

// Each record of a run says all that is known of it by then.
function addRun(record) {
  const waiting = seconds(record.waiting);
  if (waiting === undefined) return;
  if (!session.areRunsRecorded) {
    session.areRunsRecorded = true;
    session.runs.clear();
    session.bars = [];
  }
  const key = `${session.store}#${text(record.number)}`;
  const run = session.runs.get(key) ?? newRun(key, record.effect, record.commit, session.byRevision.get(Number(record.commit)));
  Object.assign(run, {
    site: text(record.site), waiting, running: seconds(record.running), ended: seconds(record.ended),
    how: text(record.how).slice(0, textLimit), error: text(record.error).slice(0, textLimit),
  });
  noteRun(run);
}

function newRun(key, effect, commit, cause) {
  const run = { effect: text(effect), commit: Number(commit) || 0, cause, site: '', error: '' };
  session.runs.set(key, run);
  session.bars.push(run);
  return run;
}

function noteRun(run) {
  session.until = Math.max(session.until, run.waiting, run.running ?? -Infinity, run.ended ?? -Infinity);
  session.version += 1;
}

// Where runs were not recorded, a bar reaches from the commit that set one off to the last one that it made.
function extendRun(commit) {
  if (session.areRunsRecorded) return;
  const key = `${commit.effect}\u0000${commit.above}`;
  const cause = session.commits[commit.above];
  const run = session.runs.get(key) ?? newRun(key, commit.effect, cause.revision, commit.above);
  Object.assign(run, { waiting: cause.time, running: cause.time, ended: commit.time, how: '' });
  noteRun(run);
}

// A note may come before its commit does: that is written by another thread.
function addNote(record) {
  const revision = Number(record.revision) || 0;
  const note = { kind: text(record.kind), text: text(record.text) };
  const index = session.byRevision.get(revision);
  if (index !== undefined) return attach(note, session.commits[index]);
  const early = session.notes.get(revision);
  if (early) early.push(note); else session.notes.set(revision, [note]);
}

function attach(note, commit) {
  commit.notes.push(note);
  commit.key += ` ${note.text.slice(0, textLimit).toLowerCase()}`;
  if (note.kind === 'error') commit.isError = true;
}

function recordOf(commit) { return parse(session.lines[commit.line]); }

// MARK: States

const states = new Map();     // index of a commit (-1: before the first) → state
const stateLimit = 48;

function stateAt(index) {
  const known = states.get(index);
  if (known) { states.delete(index); states.set(index, known); return known; }
  let [from, state] = snapshotBefore(index);
  for (const [other, cached] of states) if (other <= index && other > from) [from, state] = [other, cached];
  state = copyOf(state);
  const own = new Set();
  for (let at = from + 1; at <= index; at += 1) apply(recordOf(session.commits[at]), state, own);
  states.set(index, state);
  if (states.size > stateLimit) states.delete(states.keys().next().value);
  return state;
}

function snapshotBefore(index) {
  let [low, high] = [0, session.snapshots.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (session.snapshots[middle].index <= index + 1) low = middle + 1; else high = middle;
  }
  if (low === 0) return [-1, { parts: new Map(), ids: new Map() }];
  const snapshot = session.snapshots[low - 1];
  const record = parse(session.lines[snapshot.line]);
  return [snapshot.index - 1, {
    parts: new Map(members(record.parts)), ids: new Map(members(record.ids).filter(([, ids]) => Array.isArray(ids))),
  }];
}

// The ids of the rows of a part; none where two are alike, as those are that no text is to show: then positions tell rows apart.
function idsOf(state, name) {
  const ids = state.ids.get(name);
  return ids && new Set(ids).size === ids.length ? ids : undefined;
}

function copyOf(state) { return { parts: new Map(state.parts), ids: new Map(state.ids) }; }

function apply(record, state, own) {
  for (const [name, change] of members(record.changed)) {
    if (!isObject(change)) continue;
    if ('to' in change) {
      state.parts.set(name, change.to);
      if (Array.isArray(change.ids)) state.ids.set(name, change.ids); else state.ids.delete(name);
      own.add(name);
      continue;
    }
    let rows = state.parts.get(name);
    let ids = state.ids.get(name);
    if (!Array.isArray(rows)) continue;
    if (!own.has(name)) {
      rows = rows.slice();
      ids = ids ? ids.slice() : [];
      own.add(name);
    }
    for (const splice of list(change.rows)) {
      if (!Array.isArray(splice)) continue;
      const [at, removed] = [Number(splice[0]), Number(splice[1])];
      rows = spliced(rows, at, removed, list(splice[2]));
      ids = spliced(ids, at, removed, list(splice[3]));
    }
    state.parts.set(name, rows);
    state.ids.set(name, ids);
  }
}

// A call takes no more than some ten thousand arguments.
function spliced(values, at, removed, added) {
  if (added.length > 10_000) return [...values.slice(0, at), ...added, ...values.slice(at + removed)];
  values.splice(at, removed, ...added);
  return values;
}

// MARK: Differences

const differenceLimit = 400;

function difference(before, after) {
  const lines = [];
  const names = new Set([...before.parts.keys(), ...after.parts.keys()]);
  for (const name of names) {
    compare(before.parts.get(name), after.parts.get(name), name === '' ? [] : [name], lines, idsOf(after, name), idsOf(before, name));
  }
  return lines;
}

function compare(old, now, path, lines, ids, oldIDs) {
  if (old === now || lines.length > differenceLimit) return;
  if (Array.isArray(old) && Array.isArray(now)) return compareLists(old, now, path, lines, ids, oldIDs);
  if (isObject(old) && isObject(now)) {
    for (const key of Object.keys(old)) compare(old[key], Object.hasOwn(now, key) ? now[key] : undefined, [...path, key], lines);
    for (const key of Object.keys(now)) if (!Object.hasOwn(old, key)) lines.push({ path: [...path, key], now: now[key] });
    return;
  }
  lines.push({ path, old, now });
}

function compareLists(old, now, path, lines, ids, oldIDs) {
  let start = 0;
  while (start < old.length && start < now.length && same(old[start], now[start])) start += 1;
  let [end, oldEnd] = [now.length, old.length];
  while (end > start && oldEnd > start && same(old[oldEnd - 1], now[end - 1])) { end -= 1; oldEnd -= 1; }
  if (ids && oldIDs && ids.length === now.length && oldIDs.length === old.length) {
    const former = new Map();
    for (let at = start; at < oldEnd; at += 1) former.set(oldIDs[at], at);
    const kept = new Set();
    for (let at = start; at < end; at += 1) {
      const other = former.get(ids[at]);
      const label = `#${ids[at]}`;
      if (other === undefined) push(lines, { path: [...path, label], now: now[at] });
      else { kept.add(other); compare(old[other], now[at], [...path, label], lines); }
    }
    for (let at = start; at < oldEnd; at += 1) {
      if (!kept.has(at)) push(lines, { path: [...path, `#${oldIDs[at]}`], old: old[at] });
    }
    return;
  }
  if (end - start === oldEnd - start) {
    for (let at = start; at < end; at += 1) compare(old[at], now[at], [...path, at], lines);
    return;
  }
  for (let at = start; at < oldEnd; at += 1) push(lines, { path: [...path, at], old: old[at] });
  for (let at = start; at < end; at += 1) push(lines, { path: [...path, at], now: now[at] });
}

function push(lines, line) { if (lines.length <= differenceLimit) lines.push(line); }

function same(left, right) {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]));
}

// MARK: Filtering

const chips = ['dispatch', 'effect', 'sequence', 'asyncResult', 'placeholder', 'replacement', 'error'];
const chipNames = words({
  dispatch: 'Dispatch', effect: 'Effect', sequence: 'Sequence', asyncResult: 'Result',
  placeholder: 'Placeholder', replacement: 'Replacement', error: 'Error',
});
const view = {
  shown: [], chosen: -1, tab: 'why', filters: new Set(), query: '', isFollowing: true, isPaused: false,
  pins: [], open: new Set(), heard: 0, origins: 0, find: '', range: undefined,
};

function matcher() {
  const tests = [];
  for (const word of view.query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const [, field, value] = /^(part|action|effect|is|after|before):(.*)$/.exec(word) ?? [];
    if (value === '') continue;
    if (field === 'part') tests.push((commit) => commit.parts.some((part) => part.toLowerCase().includes(value)));
    else if (field === 'action') tests.push((commit) => commit.name.toLowerCase().includes(value));
    else if (field === 'effect') tests.push((commit) => commit.effect?.toLowerCase().includes(value) === true);
    else if (field === 'is') tests.push((commit) => value === 'error' ? commit.isError : commit.origin.toLowerCase() === value);
    else if (field === 'after') tests.push((commit) => commit.time >= Number(value));
    else if (field === 'before') tests.push((commit) => commit.time <= Number(value));
    else tests.push((commit) => commit.key.includes(word) || String(commit.revision) === word.replace('#', ''));
  }
  const origins = [...view.filters].filter((name) => name !== 'error');
  if (view.filters.has('error')) tests.push((commit) => commit.isError);
  if (origins.length > 0) tests.push((commit) => origins.includes(commit.origin));
  return tests.length === 0 ? undefined : (commit) => tests.every((test) => test(commit));
}

function refilter() {
  const matches = matcher();
  const shown = [];
  for (const commit of session.commits) if (!matches || matches(commit)) shown.push(commit.index);
  view.shown = shown;
  view.matches = matches;
  view.heard = session.commits.length;
}

// Adds what has come since.
function extendFilter() {
  for (; view.heard < session.commits.length; view.heard += 1) {
    if (!view.matches || view.matches(session.commits[view.heard])) view.shown.push(view.heard);
  }
}

// MARK: Elements

const $ = (id) => document.getElementById(id);

function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'class') element.className = value;
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (typeof value === 'boolean') element.toggleAttribute(name, value);
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

function isolated(value) { return make('bdi', {}, value); }

function clock(seconds) {
  if (seconds < 60) return `${seconds.toFixed(3)}`;
  const minutes = Math.floor(seconds / 60);
  const rest = (seconds - minutes * 60).toFixed(2).padStart(5, '0');
  return minutes < 60
    ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`;
}

// A moment in words: only a short one is a number of seconds.
function moment(seconds) { return seconds < 60 ? `${clock(seconds)} s` : clock(seconds); }

// MARK: The list

const rowHeight = 26;
const pool = [];
// Browsers lay out no more than about 33 million pixels; beyond it, a pixel of the bar stands for more than one.
const maximalHeight = 16_000_000;

function contentHeight() { return Math.min(view.shown.length * rowHeight, maximalHeight); }

function firstInSight() {
  const box = $('list');
  const room = contentHeight() - box.clientHeight;
  const rows = view.shown.length - box.clientHeight / rowHeight;
  if (room <= 0 || rows <= 0) return 0;
  return contentHeight() < maximalHeight ? box.scrollTop / rowHeight : box.scrollTop / room * rows;
}

function showRows() {
  const box = $('list');
  $('rows').style.height = `${contentHeight()}px`;
  const last = session.commits[session.commits.length - 1];
  $('rows').style.setProperty('--digits', String(last?.revision ?? 0).length);
  const top = firstInSight();
  const start = Math.max(0, Math.floor(top) - 4);
  const end = Math.min(view.shown.length, Math.ceil(top + box.clientHeight / rowHeight) + 4);
  const chosen = session.commits[view.chosen];
  while (pool.length < end - start) pool.push(makeRow());
  for (let slot = 0; slot < pool.length; slot += 1) {
    const row = pool[slot];
    const at = start + slot;
    row.element.hidden = at >= end;
    if (at >= end) { row.element.style.display = 'none'; continue; }
    row.element.style.display = '';
    row.element.style.top = `${Math.round(box.scrollTop + (at - top) * rowHeight)}px`;
    fillRow(row, session.commits[view.shown[at]], chosen);
  }
  if (view.shown.length === 0) {
    if (!box.querySelector('.empty')) {
      box.append(make('p', { class: 'empty' }, session.commits.length === 0 ? 'No commits yet.' : 'No commit matches.'));
    }
  } else {
    box.querySelector('.empty')?.remove();
  }
}

function makeRow() {
  const row = {
    revision: make('span', { class: 'revision' }), dot: make('span', { class: 'dot' }),
    name: make('bdi', {}), value: make('bdi', { class: 'value' }), time: make('span', { class: 'time' }), index: -1,
  };
  row.title = make('span', { class: 'name' }, row.name, row.value);
  row.element = make('div', { class: 'row', role: 'option', onclick: () => choose(row.index) },
    row.revision, row.dot, row.title, row.time);
  $('rows').append(row.element);
  return row;
}

function fillRow(row, commit, chosen) {
  const isKin = chosen !== undefined && (commit.above === chosen.index || chosen.above === commit.index);
  row.element.className = `row${commit.isError ? ' unhandled' : ''}${isKin ? ' kin' : ''}${commit.isReplayed ? ' replayed' : ''}${commit.notes.length > 0 ? ' noted' : ''}`;
  row.element.setAttribute('aria-selected', String(commit.index === view.chosen));
  if (row.index === commit.index && row.notes === commit.notes.length) return;
  row.index = commit.index;
  row.notes = commit.notes.length;
  row.element.id = `c${commit.index}`;
  row.revision.textContent = commit.revision;
  row.dot.className = `dot ${commit.isError ? 'error' : commit.origin}`;
  row.dot.title = chipNames[commit.isError ? 'error' : commit.origin] ?? commit.origin;
  row.dot.style.marginLeft = `${commit.depth * 14}px`;
  row.name.textContent = commit.name;
  row.value.textContent = commit.shown.slice(0, 120);
  row.time.textContent = clock(commit.time);
}

function position(index) {
  let [low, high] = [0, view.shown.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (view.shown[middle] < index) low = middle + 1; else high = middle;
  }
  return low;
}

function scrollTo(at, isCentred = false) {
  const box = $('list');
  $('rows').style.height = `${contentHeight()}px`;
  const sight = box.clientHeight / rowHeight;
  const top = firstInSight();
  if (!isCentred && at >= top && at + 1 <= top + sight) return;
  const target = isCentred ? at - sight / 2 : at < top ? at : at + 1 - sight;
  const rows = Math.max(1, view.shown.length - sight);
  box.scrollTop = contentHeight() < maximalHeight
    ? target * rowHeight : target / rows * (contentHeight() - box.clientHeight);
}

// How high the list was when it was last looked at.
let listHeight = 0;

// What is chosen stays in sight where the list becomes lower; who has scrolled away from it stays away.
function keepInSight() {
  const at = position(view.chosen);
  const top = firstInSight();
  const wasInSight = view.shown[at] === view.chosen && at + 1 > top && at + .5 < top + listHeight / rowHeight;
  listHeight = $('list').clientHeight;
  if (wasInSight) scrollTo(at);
}

// MARK: Choosing

function choose(index, isCentred = false) {
  if (index < 0 || index >= session.commits.length) return;
  view.chosen = index;
  view.isFollowing = index === session.commits.length - 1;
  const at = position(index);
  if (view.shown[at] === index) scrollTo(at, isCentred);
  keepInRange(session.commits[index].time);
  $('list').setAttribute('aria-activedescendant', `c${index}`);
  schedule('rows', 'strip', 'bars');
  // While a key is held down, the list moves at once, and the right side follows when there is time.
  schedule('detail');
}

function move(by) {
  if (view.shown.length === 0) return;
  const at = view.chosen < 0 ? -1 : position(view.chosen);
  choose(view.shown[Math.max(0, Math.min(view.shown.length - 1, at + by))]);
}

function reveal(index) {
  if (view.shown[position(index)] !== index) {
    view.filters.clear();
    view.query = $('search').value = '';
    refilter();
    showChips();
    showCount();
  }
  choose(index);
}

function goToCause() {
  const above = session.commits[view.chosen]?.above;
  if (above !== undefined) reveal(above);
}

function goToChild() {
  const children = session.children.get(view.chosen);
  if (children) reveal(children[0]);
}

// MARK: The right side

const tabs = { why: 'Why', change: 'Change', state: 'State', owners: 'Owners' };

function showDetail() {
  const commit = session.commits[view.chosen];
  const heading = $('heading');
  heading.replaceChildren();
  for (const button of $('tabs').children) {
    button.setAttribute('aria-selected', String(button.dataset.tab === view.tab));
  }
  const pane = $('pane');
  if (!commit) {
    pane.replaceChildren(make('p', { class: 'empty' }, 'Choose a commit.'));
    return;
  }
  heading.append(
    make('div', { class: 'what' }, isolated(`${commit.name}`)),
    make('div', { class: 'where' }, `#${commit.revision} at ${moment(commit.time)}`,
      commit.site ? ', ' : undefined, commit.site ? isolated(commit.site) : undefined,
      commit.fn ? ' in ' : undefined, commit.fn ? isolated(commit.fn) : undefined, commit.isReplayed ? ', replayed' : undefined));
  // The fold and the search of a tree stay while one walks.
  const top = pane.scrollTop;
  pane.replaceChildren(...panes[view.tab](commit));
  pane.scrollTop = top;
}

const panes = { why: showWhy, change: showChange, state: showState, owners: showOwners };

function showWhy(commit) {
  const chain = [];
  const seen = new Set();
  for (let at = commit; at && !seen.has(at.index) && chain.length < 200;) {
    seen.add(at.index);
    chain.push(at);
    at = session.commits[at.above];
  }
  const items = chain.map((each, place) => make('li', place === 0 ? { class: 'this' } : {},
    place === 0 ? make('span', {}, isolated(each.name)) : link(each), ' ', make('span', { class: 'quiet' }, origin(each, chain[place + 1]))));
  const last = chain[chain.length - 1];
  if (last.parent !== undefined && last.above === undefined) {
    items.push(make('li', { class: 'quiet' }, `#${last.parent} is not in this session.`));
  }
  const record = recordOf(commit);
  const parts = [make('ol', { class: 'why' }, ...items)];
  for (const note of commit.notes) parts.push(make('p', { class: 'note' }, make('span', { class: note.kind === 'error' ? 'dot error' : 'dot warning' }), isolated(note.text)));
  if (commit.isError && commit.notes.length === 0) parts.push(make('p', { class: 'quiet' }, 'No reducer handled it.'));
  const actions = objects(record.actions);
  if (actions.length > 0) {
    parts.push(make('h3', {}, actions.length === 1 ? 'Action' : `${actions.length} actions`));
    for (const [at, action] of actions.slice(0, 100).entries()) {
      const value = action.hidden ? { notLogged: nameOf(action) } : action.value ?? action.text;
      parts.push(tree(nameOf(action), value, ['action', at], undefined, actions.length === 1));
    }
  }
  const children = session.children.get(commit.index) ?? [];
  if (children.length > 0) {
    parts.push(make('h3', {}, children.length === 1 ? 'Set off' : `Set off ${children.length}`),
      make('ol', {}, ...children.slice(0, 100).map((index) => make('li', {}, link(session.commits[index]), ' ',
        make('span', { class: 'quiet' }, origin(session.commits[index]))))));
  }
  return parts;
}

function link(commit) {
  return make('button', { class: 'link', type: 'button', onclick: () => reveal(commit.index) },
    `#${commit.revision} `, isolated(commit.name));
}

function origin(commit, parent) {
  const by = commit.effect !== undefined ? `by the effect ${commit.effect}` : {
    dispatch: 'dispatched', sequence: 'by a sequence', effect: 'by an effect',
  }[commit.origin] ?? '';
  const at = commit.site ? ` at ${commit.site}` : '';
  return `${by}${at}${parent ? ', set off by' : ''}`;
}

function showChange(commit) {
  const lines = difference(stateAt(commit.index - 1), stateAt(commit.index));
  if (lines.length === 0) return [make('p', { class: 'quiet' }, 'Nothing differs.')];
  const rows = lines.slice(0, differenceLimit).map(({ path, old, now }) => make('tr', {},
    make('td', {}, isolated(pathText(path)), pinButton(path)),
    make('td', {}, old === undefined ? '' : value(old, 'was')), make('td', {}, now === undefined ? '' : value(now, 'is'))));
  const table = make('table', { class: 'change' }, make('tr', {}, make('th', {}, ''), make('th', {}, 'Before'), make('th', {}, 'After')), ...rows);
  return lines.length > differenceLimit ? [table, make('p', { class: 'quiet' }, '… and more')] : [table];
}

function pathText(path) {
  return path.length === 0 ? 'state' : path.map((step, at) =>
    typeof step === 'number' || String(step).startsWith('#') ? `[${step}]` : at > 0 ? `.${step}` : step).join('');
}

const foldedLength = 160;

function value(json, style = '') {
  const kind = typeof json === 'string' ? 'text' : 'literal';
  const whole = typeof json === 'string' ? `"${json}"` : JSON.stringify(json) ?? '';
  return folded(whole, `value-text ${style || kind}`);
}

// A text of which a long one shows its beginning, and more of it by and by: the document never holds all of a huge one.
function folded(whole, style) {
  const span = make('bdi', { class: style });
  if (whole.length <= foldedLength) { span.textContent = whole; return span; }
  let length = foldedLength;
  const rest = make('button', { class: 'more', type: 'button' });
  const show = () => {
    span.textContent = whole.slice(0, length);
    rest.textContent = length < whole.length ? `… ${whole.length - length} more` : '';
    rest.hidden = length >= whole.length;
  };
  rest.addEventListener('click', () => { length = length * 8; show(); });
  show();
  return make('span', {}, span, rest);
}

function showState(commit) {
  const state = stateAt(commit.index);
  const find = make('input', { id: 'find', type: 'search', placeholder: 'Find in the state', 'aria-label': 'Find in the state', autocomplete: 'off', spellcheck: 'false' });
  find.value = view.find;
  const body = make('div', {});
  const fill = () => body.replaceChildren(...(view.find === '' ? wholeState(state) : found(state, view.find)));
  find.addEventListener('input', () => { view.find = find.value; fill(); });
  fill();
  return [find, ...pinned(commit), body];
}

function wholeState(state) {
  return [...state.parts].map(([name, part]) => tree(name === '' ? 'state' : name, part, [name], idsOf(state, name), false));
}

function pinned(commit) {
  if (view.pins.length === 0) return [];
  const [state, before] = [stateAt(commit.index), stateAt(commit.index - 1)];
  const rows = view.pins.map((path) => {
    const [now, old] = [lookUp(state, path), lookUp(before, path)];
    return make('tr', {}, make('td', {}, isolated(pathText(path)), pinButton(path), whyButton(path)),
      make('td', {}, same(now, old) ? '' : old === undefined ? '' : value(old, 'was')),
      make('td', {}, now === undefined ? make('span', { class: 'quiet' }, 'not there') : value(now, same(now, old) ? 'literal' : 'is')));
  });
  return [make('table', { class: 'change' }, ...rows), make('h3', {}, 'State')];
}

function lookUp(state, path) {
  let at = state.parts.get(path[0]);
  for (const step of path.slice(1)) {
    if (at === null || typeof at !== 'object') return undefined;
    if (String(step).startsWith('#') && Array.isArray(at)) {
      const row = (idsOf(state, path[0]) ?? []).indexOf(String(step).slice(1));
      at = row < 0 ? undefined : at[row];
    } else {
      at = Object.hasOwn(at, step) ? at[step] : undefined;
    }
  }
  return at;
}

function pinButton(path) {
  const key = JSON.stringify(path);
  const isPinned = view.pins.some((pin) => JSON.stringify(pin) === key);
  return make('button', {
    class: 'pin', type: 'button', title: isPinned ? 'Unpin' : 'Keep in sight', 'aria-pressed': String(isPinned),
    onclick: () => {
      view.pins = isPinned ? view.pins.filter((pin) => JSON.stringify(pin) !== key) : [...view.pins, path];
      schedule('detail');
    },
  }, isPinned ? '●' : '○');
}

// The commit, up to one, that last left a value of the state otherwise than it was; -1 where none did.
function lastChange(path, upTo) {
  for (let end = upTo; end >= 0;) {
    // From one snapshot to the next, backwards: most values changed not long ago.
    const [before, first] = snapshotBefore(end - 1);
    const state = copyOf(first);
    const own = new Set();
    let [was, found] = [lookUp(state, path), -1];
    for (let at = before + 1; at <= end; at += 1) {
      if (!session.commits[at].parts.includes(path[0])) continue;
      apply(recordOf(session.commits[at]), state, own);
      const now = lookUp(state, path);
      if (!same(was, now)) found = at;
      was = now;
    }
    if (found >= 0) return found;
    end = before;
  }
  return -1;
}

function whyButton(path) {
  return make('button', {
    class: 'pin', type: 'button', title: 'The commit that last changed it',
    onclick: () => {
      const index = lastChange(path, view.chosen);
      if (index < 0) return notice('It is as it was at first.');
      view.tab = 'why';
      reveal(index);
    },
  }, 'why');
}

const pageLength = 100;

// A value as a tree. What is folded is made when it is opened.
function tree(name, json, path, ids, isOpen) {
  const key = JSON.stringify(path);
  const isBranch = json !== null && typeof json === 'object';
  const node = make('div', { class: 'node' });
  const line = make('div', { class: 'line' });
  node.append(line);
  line.append(make('bdi', { class: 'key' }, String(name)));
  if (!isBranch) {
    line.append(value(json));
  } else {
    const count = Array.isArray(json) ? json.length : Object.keys(json).length;
    line.append(make('span', { class: 'quiet' }, isHidden(json) ? 'not logged' : Array.isArray(json) ? counted(count, ids ? 'row' : 'item') : count === 0 ? '{}' : preview(json)));
    if (count > 0 && !isHidden(json)) {
      const fold = make('button', { class: 'fold', type: 'button', 'aria-label': 'Fold' });
      const inside = make('div', {});
      const set = (open) => {
        fold.textContent = open ? '▾' : '▸';
        fold.setAttribute('aria-expanded', String(open));
        inside.replaceChildren();
        if (open) addMembers(inside, json, path, ids, 0);
      };
      let open = isOpen || view.open.has(key);
      fold.addEventListener('click', () => {
        open = !open;
        if (open) view.open.add(key); else view.open.delete(key);
        set(open);
      });
      node.prepend(fold);
      node.append(inside);
      set(open);
    }
  }
  if (path[0] !== 'action') line.append(pinButton(path), whyButton(path));
  return node;
}

function counted(count, word) { return `${count} ${word}${count === 1 ? '' : 's'}`; }

function isHidden(json) { return isObject(json) && Object.keys(json).length === 1 && typeof json.notLogged === 'string'; }

function preview(json) {
  const whole = labelled(json, false);
  return whole.slice(0, textLimit);
}

function addMembers(box, json, path, ids, start) {
  const keys = Array.isArray(json) ? undefined : Object.keys(json);
  const count = keys ? keys.length : json.length;
  const end = Math.min(count, start + pageLength);
  for (let at = start; at < end; at += 1) {
    const key = keys ? keys[at] : ids && ids[at] !== undefined ? `#${ids[at]}` : at;
    box.append(tree(key, keys ? json[keys[at]] : json[at], [...path, key], undefined, false));
  }
  if (end < count) {
    const more = make('button', { class: 'more', type: 'button' }, `… ${count - end} more`);
    more.addEventListener('click', () => { more.remove(); addMembers(box, json, path, ids, end); });
    box.append(more);
  }
}

const findLimit = 200;

function found(state, query) {
  const wanted = query.toLowerCase();
  const results = [];
  const deadline = performance.now() + 60;
  const walk = (json, path, ids) => {
    if (results.length >= findLimit || performance.now() > deadline) return;
    if (json !== null && typeof json === 'object') {
      const keys = Array.isArray(json) ? undefined : Object.keys(json);
      const count = keys ? keys.length : json.length;
      for (let at = 0; at < count; at += 1) {
        const key = keys ? keys[at] : ids && ids[at] !== undefined ? `#${ids[at]}` : at;
        const child = keys ? json[keys[at]] : json[at];
        if (keys && keys[at].toLowerCase().includes(wanted)) results.push([[...path, key], child]);
        else walk(child, [...path, key]);
      }
    } else if (String(json).slice(0, 10_000).toLowerCase().includes(wanted)) {
      results.push([path, json]);
    }
  };
  for (const [name, part] of state.parts) {
    if (name.toLowerCase().includes(wanted)) results.push([[name], part]);
    else walk(part, [name], idsOf(state, name));
  }
  if (results.length === 0) return [make('p', { class: 'quiet' }, 'Not found.')];
  const nodes = results.slice(0, findLimit).map(([path, json]) => tree(pathText(path), json, path, undefined, false));
  if (results.length >= findLimit || performance.now() > deadline) nodes.push(make('p', { class: 'quiet' }, '… and perhaps more'));
  return nodes;
}

function showOwners(commit) {
  const touched = new Set(commit.parts);
  const rows = session.head.owners.map((owner) => make('tr', {},
    make('td', {}, make('span', { class: touched.has(String(owner.part).split(/[.[]/)[0]) ? 'literal' : '' }, isolated(text(owner.part) || 'state'))),
    make('td', {}, owner.constant ? make('span', { class: 'quiet' }, 'constant') : isolated(list(owner.actions).map(text).join(', ')))));
  if (rows.length === 0) return [make('p', { class: 'quiet' }, 'The session does not say who owns what.')];
  return [make('table', {}, make('tr', {}, make('th', {}, 'Part'), make('th', {}, 'Handles')), ...rows)];
}

// MARK: Time

// One axis for the strip above and the bars below: the whole session, or the part of it that one has come closer to.

function span() {
  const commits = session.commits;
  if (commits.length === 0) return [0, 1];
  const [start, end] = [commits[0].time, Math.max(commits[commits.length - 1].time, session.until)];
  return end > start ? [start, end] : [start - .5, start + .5];
}

function axis() { return view.range ?? span(); }

function setRange(from, to) {
  const [start, end] = span();
  const size = Math.max(to - from, 1e-5);
  if (!(size < end - start)) view.range = undefined;
  else {
    const left = Math.min(Math.max(from, start), end - size);
    view.range = [left, left + size];
  }
  schedule('strip', 'bars');
}

// What is under `time` stays where it is.
function zoom(factor, time = session.commits[view.chosen]?.time) {
  const [from, to] = axis();
  const fixed = time >= from && time <= to ? time : (from + to) / 2;
  setRange(fixed - (fixed - from) * factor, fixed + (to - fixed) * factor);
}

function keepInRange(time) {
  if (!view.range || (time >= view.range[0] && time <= view.range[1])) return;
  const half = (view.range[1] - view.range[0]) / 2;
  setRange(time - half, time + half);
}

function timeAt(event) {
  const box = event.currentTarget.getBoundingClientRect();
  const [from, to] = axis();
  return from + (event.clientX - box.left) / box.width * (to - from);
}

function onWheel(event) {
  event.preventDefault();
  const [from, to] = axis();
  const by = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
  if (Math.abs(by) > Math.abs(event.deltaY) || event.shiftKey) {
    if (view.range) setRange(from + by / 600 * (to - from), to + by / 600 * (to - from));
  } else zoom(Math.exp(Math.max(-200, Math.min(200, event.deltaY)) * .003), timeAt(event));
}

function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name); }

function resolved(name) {
  // A canvas does not know `light-dark`, so an element resolves it.
  const probe = $('notice');
  probe.style.borderColor = colour(name);
  return getComputedStyle(probe).borderTopColor;
}

let palette;
function colours() {
  palette ??= Object.fromEntries(['ink', 'quiet', 'faint', 'line', 'accent', 'error', 'chosen', 'raised', 'paper'].map((name) => [name, resolved(`--${name}`)]));
  return palette;
}

function canvas(id, height) {
  const element = $(id);
  const width = element.clientWidth;
  const scale = devicePixelRatio || 1;
  element.width = Math.round(width * scale);
  element.height = Math.round(height * scale);
  element.style.height = `${height}px`;
  const context = element.getContext('2d');
  context.scale(scale, scale);
  return { context, width };
}

const strip = { counts: [], errors: [], upTo: 0, key: '' };

function sight() {
  const top = firstInSight();
  const first = session.commits[view.shown[Math.min(view.shown.length - 1, Math.floor(top))]];
  const last = session.commits[view.shown[Math.min(view.shown.length - 1, Math.floor(top + $('list').clientHeight / rowHeight))]];
  return first && last ? [first.time, last.time] : span();
}

function showStrip() {
  const height = 44;
  const { context, width } = canvas('strip', height);
  const [start, end] = axis();
  const key = `${width} ${start} ${end}`;
  if (strip.key !== key || strip.upTo > session.commits.length) {
    Object.assign(strip, { counts: new Uint32Array(width + 1), errors: new Uint32Array(width + 1), upTo: 0, key });
  }
  for (; strip.upTo < session.commits.length; strip.upTo += 1) {
    const commit = session.commits[strip.upTo];
    const x = Math.floor((commit.time - start) / (end - start) * (width - 1));
    if (!(x >= 0 && x < width)) continue;
    strip.counts[x] += 1;
    if (commit.isError) strip.errors[x] += 1;
  }
  const { accent, faint, error, chosen, quiet, paper } = colours();
  const [from, to] = sight();
  const place = (time) => (time - start) / (end - start) * (width - 1);
  const left = place(from);
  // A window over everything says nothing.
  const isWhole = view.shown.length * rowHeight <= $('list').clientHeight;
  if (!isWhole) {
    context.fillStyle = chosen;
    context.fillRect(left, 0, Math.max(6, place(to) - left), height);
  }
  let most = 1;
  for (const count of strip.counts) most = Math.max(most, count);
  for (let x = 0; x < width; x += 1) {
    if (strip.counts[x] === 0) continue;
    const size = 4 + Math.sqrt(strip.counts[x] / most) * (height - 12);
    context.fillStyle = faint;
    context.fillRect(x, height - 2 - size, 1, size);
    if (strip.errors[x] === 0) continue;
    const bad = Math.max(4, size * strip.errors[x] / strip.counts[x]);
    context.fillStyle = error;
    context.fillRect(x, height - 2 - bad, 1, bad);
  }
  if (!isWhole) {
    context.strokeStyle = accent;
    context.strokeRect(left + .5, .5, Math.max(6, place(to) - left), height - 2);
  }
  const commit = session.commits[view.chosen];
  if (commit) {
    context.fillStyle = accent;
    context.fillRect(place(commit.time) - .5, 0, 2, height);
  }
  context.font = '11px system-ui, sans-serif';
  const label = moment(end);
  const size = context.measureText(label).width;
  for (const [words, x] of [[clock(start), 5], [label, width - size - 5]]) {
    context.fillStyle = paper;
    context.fillRect(x - 3, 2, context.measureText(words).width + 6, 13);
    context.fillStyle = quiet;
    context.fillText(words, x, 12);
  }
}

function dragStrip(event) {
  const time = timeAt(event);
  let [low, high] = [0, view.shown.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (session.commits[view.shown[middle]].time < time) low = middle + 1; else high = middle;
  }
  view.isFollowing = false;
  scrollTo(Math.min(low, view.shown.length - 1), true);
  schedule('rows', 'strip', 'bars');
}

// MARK: Runs

const runRow = 20;
const runHeight = 11;
// The least of a run that is seen, with the form of its end; and where there are too many for that, as a stroke.
const leastRun = 9;
const leastStroke = 4;
const bars = { key: '', shown: [], hidden: 0, rows: 1, current: undefined, sorted: -1, latest: [] };

// How a run ended, in words; a hostile session has others.
const ends = words({
  '': '', finished: 'finished', failed: 'failed', cancelled: 'cancelled', superseded: 'superseded by a newer trigger',
  gone: 'ended with what it belonged to', ignored: 'ignored by its policy',
});

function endOf(run) { return run.ended ?? Infinity; }

// The runs in their order, and for each the latest end of those up to it: by halving one finds where what is in sight begins.
function sortRuns() {
  if (bars.sorted === session.version) return;
  bars.sorted = session.version;
  session.bars.sort((left, right) => left.waiting - right.waiting);
  bars.latest = new Float64Array(session.bars.length);
  let latest = -Infinity;
  session.bars.forEach((run, at) => {
    latest = Math.max(latest, endOf(run));
    bars.latest[at] = latest;
  });
}

// Puts each run that is in sight into a row in which it covers no other, the one of its effect where that is free.
function layOut(width, most) {
  const [from, to] = axis();
  const key = `${width} ${most} ${from} ${to} ${session.version} ${view.range === undefined}`;
  if (bars.key === key) return;
  bars.key = key;
  sortRuns();
  let [low, high] = [0, session.bars.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bars.latest[middle] < from) low = middle + 1; else high = middle;
  }
  const found = [];
  for (let at = low; at < session.bars.length && session.bars[at].waiting <= to; at += 1) {
    if (endOf(session.bars[at]) >= from) found.push(session.bars[at]);
  }
  const place = (time) => Math.round(Math.max(-leastRun, Math.min(width + leastRun, (time - from) / (to - from) * (width - 1))));
  // Few of them have their names beside them.
  if (found.length <= 60 && pack(found, place, width, most, leastRun, true)) return;
  if (!pack(found, place, width, most, leastRun)) pack(found, place, width, most, leastStroke);
}

function pack(found, place, width, most, least, areNamed = false) {
  const ends = new Float64Array(most).fill(-Infinity);
  const rows = new Map();
  let earliest = -Infinity;     // where the first row is free again
  Object.assign(bars, { shown: [], hidden: 0 });
  for (const run of found) {
    const left = Math.min(place(run.waiting), width - least);
    const right = Math.max(left + least, Math.min(width, place(endOf(run))));
    if (earliest > left) { bars.hidden += 1; continue; }
    let row = rows.get(run.effect) ?? 0;
    if (ends[row] > left) for (row = 0; ends[row] > left;) row += 1;
    rows.set(run.effect, row);
    const shown = { run, left, right, row, begins: run.running === undefined ? right : Math.max(left, place(run.running)), room: 0 };
    const name = areNamed ? sizeOf(run.effect) + 14 : 0;
    // At the right edge the name is in the bar, or nowhere.
    ends[row] = right + 2 + (right + name > width ? 0 : name);
    earliest = Math.min(...ends);
    bars.shown.push(shown);
  }
  const next = new Float64Array(most).fill(width);
  for (let at = bars.shown.length - 1; at >= 0; at -= 1) {
    const shown = bars.shown[at];
    shown.room = next[shown.row] - shown.right;
    next[shown.row] = shown.left;
  }
  return bars.hidden === 0;
}

const runFont = '11px system-ui, sans-serif';
const nameLimit = 60;
const sizes = new Map();

// How wide a name is, which takes long to find out.
function sizeOf(name) {
  let size = sizes.get(name);
  if (size === undefined) {
    const context = $('bars').getContext('2d');
    context.font = runFont;
    size = context.measureText(name.slice(0, nameLimit)).width;
    if (sizes.size > 1_000) sizes.clear();
    sizes.set(name, size);
  }
  return size;
}

function showBars() {
  const footer = $('effects');
  const isThere = session.bars.length > 0;
  if (footer.hidden === isThere) {
    footer.hidden = !isThere;
    schedule('rows', 'strip');
  }
  if (!isThere) return hideTip();
  const width = $('bars').clientWidth;
  // Where the commits stand above what is chosen, there is less room.
  const share = innerWidth > 640 ? .2 : .1;
  const most = Math.max(2, Math.min(9, Math.floor(innerHeight * share / runRow)));
  layOut(width, most);
  // It grows with what has been seen, and does not shrink while one looks.
  bars.rows = Math.min(most, Math.max(bars.rows, ...bars.shown.map((shown) => shown.row + 1)));
  const height = bars.rows * runRow + 8;
  const { context } = canvas('bars', height);
  context.font = runFont;
  const paints = colours();
  const [from, to] = axis();
  const chosen = session.commits[view.chosen];
  if (chosen && chosen.time >= from && chosen.time <= to) {
    context.fillStyle = paints.accent;
    context.globalAlpha = .35;
    context.fillRect((chosen.time - from) / (to - from) * (width - 1) - .5, 0, 2, height);
    context.globalAlpha = 1;
  }
  for (const shown of bars.shown) drawRun(context, shown, paints, chosen);
  const more = bars.hidden === 0 ? '' : `${new Intl.NumberFormat('en').format(bars.hidden)} more ${bars.hidden === 1 ? 'run' : 'runs'} here: come closer (+)`;
  if ($('more-runs').textContent !== more) $('more-runs').textContent = more;
  showTip();
}

function isKin(run, chosen) {
  return chosen !== undefined && run.cause !== undefined
    && (run.cause === chosen.index || (run.cause === chosen.above && run.effect === chosen.effect));
}

function drawRun(context, shown, paints, chosen) {
  const { run, left, right, begins } = shown;
  const y = 4 + shown.row * runRow + (runRow - runHeight) / 2;
  const paint = run.how === 'failed' ? paints.error
    : run.how === 'finished' || run.how === '' || run.ended === undefined ? paints.accent : paints.quiet;
  const end = right - 7;
  context.lineWidth = 1;
  context.strokeStyle = context.fillStyle = paint;
  if (right - left < leastRun) {
    // The longer a stroke, the more it matters.
    const size = run.how === 'failed' ? runHeight + 4 : paint === paints.quiet ? runHeight - 4 : runHeight;
    context.fillRect(left, y + (runHeight - size) / 2, right - left - 1, size);
    return mark(context, shown, paints, chosen, y);
  }
  // What waits is hollow.
  const hollow = Math.min(begins, end);
  if (hollow - left >= 1) {
    context.fillStyle = paints.paper;
    context.fillRect(left, y, hollow - left, runHeight);
    context.strokeRect(left + .5, y + .5, Math.max(1, hollow - left - 1), runHeight - 1);
    context.fillStyle = paint;
  }
  if (run.running !== undefined && end > hollow) context.fillRect(hollow, y, end - hollow, runHeight);
  (forms[run.ended === undefined ? 'underWay' : run.how] ?? forms['']).call(undefined, context, Math.max(left, end), y);
  mark(context, shown, paints, chosen, y);
  const name = run.effect.slice(0, nameLimit);
  const size = sizeOf(run.effect);
  if (shown.room >= size + 10) {
    context.fillStyle = paints.quiet;
    context.fillText(name, right + 5, y + runHeight - 2);
  } else if (run.running !== undefined && end - hollow > size + 10) {
    // In a filled bar the name has the colour of the page.
    context.fillStyle = paints.paper;
    context.fillText(name, hollow + 5, y + runHeight - 2);
  }
}

// The run that is spoken of, and those that the chosen commit has to do with.
function mark(context, shown, paints, chosen, y) {
  const isCurrent = shown.run === bars.current;
  if (!isCurrent && !isKin(shown.run, chosen)) return;
  context.lineWidth = 1;
  context.strokeStyle = isCurrent ? paints.ink : paints.accent;
  context.strokeRect(shown.left - 1.5, y - 2.5, shown.right - shown.left + 3, runHeight + 5);
}

// The form of an end says how it ended, beside its colour; each is 7 pixels wide.
const forms = words({
  // A bar without an end that was recorded.
  ''(context, x, y) { context.fillRect(x, y, 7, runHeight); },
  finished(context, x, y) { context.fillRect(x, y, 5, runHeight); context.fillRect(x + 4, y - 2, 2, runHeight + 4); },
  failed(context, x, y) {
    context.lineWidth = 2;
    path(context, [x + 1, y + 1], [x + 7, y + runHeight - 1]).stroke();
    path(context, [x + 7, y + 1], [x + 1, y + runHeight - 1]).stroke();
  },
  cancelled(context, x, y) { path(context, [x, y], [x + 6, y], [x, y + runHeight]).fill(); },
  superseded(context, x, y) { path(context, [x, y], [x + 7, y + runHeight / 2], [x, y + runHeight]).fill(); },
  gone(context, x, y) {
    context.beginPath();
    context.arc(x + 3.5, y + runHeight / 2, 3, 0, 7);
    context.stroke();
  },
  ignored(context, x, y) { context.fillRect(x, y + runHeight / 2 - .5, 7, 1); },
  underWay(context, x, y) {
    for (const step of [0, 2.5, 5]) context.fillRect(x + step, y, 1.5, runHeight);
  },
});

function path(context, ...points) {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  return context;
}

// Which run is under the pointer, or chosen by keyboard, and what is said of it.

function runAt(event) {
  const box = $('bars').getBoundingClientRect();
  const [x, row] = [event.clientX - box.left, Math.floor((event.clientY - box.top - 4) / runRow)];
  return bars.shown.findLast((each) => each.row === row && x >= each.left - 2 && x <= each.right + 2);
}

function lasted(from, to) { return `${Math.max(0, to - from).toFixed(3)} s`; }

function sayings(run) {
  const [from, to] = [run.waiting, run.ended ?? axis()[1]];
  const isOver = run.ended !== undefined;
  const running = run.running;
  let times = `from ${moment(from)}`;
  if (running === undefined) times += isOver ? `, waited ${lasted(from, to)} and never ran` : ', waits';
  else {
    if (running > from) times += `, waited ${lasted(from, running)}`;
    times += isOver ? `, ran ${lasted(running, to)}` : ', runs';
  }
  const how = isOver ? ends[run.how] ?? run.how : live.isOn ? 'under way' : 'under way when the session ended';
  const cause = session.commits[run.cause];
  return [
    run.effect, [times, how].filter(Boolean).join(', '), run.error,
    cause ? `set off by #${cause.revision} ${cause.name}` : `set off by #${run.commit}, which is not in this session`, run.site,
  ].filter(Boolean);
}

function setCurrent(run) {
  if (bars.current === run) return;
  bars.current = run;
  schedule('bars');
}

function hideTip() { $('tip').hidden = true; }

function showTip() {
  const shown = bars.current && bars.shown.find((each) => each.run === bars.current);
  if (!shown) return hideTip();
  const tip = $('tip');
  const lines = sayings(shown.run);
  tip.replaceChildren(...lines.map((line) => make('div', {}, isolated(line))));
  $('bar').textContent = lines.join(', ');
  tip.hidden = false;
  const box = $('bars').getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(box.left + shown.left, innerWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${Math.max(8, box.top + shown.row * runRow - tip.offsetHeight - 2)}px`;
}

function chooseCause(run) {
  if (run.cause === undefined) notice(`#${run.commit} is not in this session.`);
  else reveal(run.cause);
}

function goToRuns() {
  if (session.bars.length === 0) return notice('No run of an effect is in this session.');
  $('bars').focus({ preventScroll: true });
}

// The run nearest to the chosen commit.
function enterRuns() {
  if (bars.shown.some((each) => each.run === bars.current)) return showTip();
  const time = session.commits[view.chosen]?.time ?? 0;
  const away = (each) => Math.abs(each.run.waiting - time) + (isKin(each.run, session.commits[view.chosen]) ? 0 : 1e-9);
  setCurrent(bars.shown.reduce((best, each) => (best === undefined || away(each) < away(best) ? each : best), undefined)?.run);
}

const runKeys = new Map([
  ['ArrowLeft', (at) => bars.shown[at - 1]], ['ArrowRight', (at) => bars.shown[at + 1]],
  ['ArrowUp', (at) => nearest(at, -1)], ['ArrowDown', (at) => nearest(at, 1)],
  ['Home', () => bars.shown[0]], ['End', () => bars.shown[bars.shown.length - 1]],
]);

// The run in the next row above or below that lies nearest.
function nearest(at, by) {
  const here = bars.shown[at];
  if (here === undefined) return bars.shown[0];
  for (let row = here.row + by; row >= 0 && row < bars.rows; row += by) {
    let best;
    for (const each of bars.shown) {
      if (each.row === row && (best === undefined || Math.abs(each.left - here.left) < Math.abs(best.left - here.left))) best = each;
    }
    if (best !== undefined) return best;
  }
  return here;
}

// Whether the key is one of those that walk the runs.
function onRunKey(event) {
  if (event.key === 'Escape') { $('list').focus({ preventScroll: true }); return true; }
  if (event.key === 'Enter') {
    if (bars.current) chooseCause(bars.current);
    return true;
  }
  const step = runKeys.get(event.key);
  if (!step) return false;
  const next = step(bars.shown.findIndex((each) => each.run === bars.current));
  if (next) setCurrent(next.run);
  return true;
}

// MARK: The head

function showChips() {
  view.origins = session.origins.size;
  const used = chips.filter((name) => name === 'error' || session.origins.has(name) || view.filters.has(name));
  $('chips').replaceChildren(...used.map((name) => make('button', {
    type: 'button', 'aria-pressed': String(view.filters.has(name)), title: chipNames[name],
    onclick: () => {
      if (!view.filters.delete(name)) view.filters.add(name);
      showChips();
      filterAnew();
    },
  }, make('span', { class: `dot ${name}` }), make('span', {}, chipNames[name]))));
}

function showCount() {
  const format = new Intl.NumberFormat('en');
  const all = format.format(session.commits.length);
  const rate = live.isOn ? ` · ${live.rate()}/s` : '';
  const unit = session.commits.length === 1 ? 'commit' : 'commits';
  $('count').textContent = `${view.shown.length === session.commits.length ? '' : `${format.format(view.shown.length)} of `}${all} ${unit}${rate}`;
}

function filterAnew() {
  refilter();
  if (view.chosen >= 0) scrollTo(Math.min(position(view.chosen), view.shown.length - 1), true);
  schedule('rows', 'strip', 'bars', 'count');
}

// MARK: Drawing

const drawing = { rows: showRows, strip: showStrip, bars: showBars, legend: showLegend, detail: showDetail, count: showCount };
const due = new Set();

function schedule(...names) {
  if (due.size === 0) requestAnimationFrame(draw);
  for (const name of names) due.add(name);
}

function draw() {
  const names = [...due];
  due.clear();
  for (const name of names) drawing[name]();
}

// MARK: Live

const live = {
  isOn: document.body.dataset.mode === 'live',
  // When the session's time began by the clock of this page, as near as the quickest commit tells.
  began: Infinity,
  // Commits a second, over the last five; those that were there before the page are counted by their own time.
  rate(now = performance.now() / 1_000) {
    let count = 0;
    for (let at = session.commits.length - 1; at >= 0 && session.commits[at].time > now - live.began - 5; at -= 1) count += 1;
    return (count / 5).toFixed(1);
  },
  follow() {
    if (view.isPaused) { schedule('count'); return; }
    const known = view.heard;
    extendFilter();
    if (view.heard !== known && view.isFollowing && view.shown.length > 0) choose(view.shown[view.shown.length - 1]);
    if (session.origins.size !== view.origins) showChips();
    schedule('rows', 'strip', 'bars', 'count');
  },
  start() {
    $('live').hidden = false;
    $('open-dispatch').hidden = session.head.actions.length === 0;
    live.show();
    const events = new EventSource('events');
    let waiting = [];
    events.addEventListener('reset', () => {
      waiting = [];
      Object.assign(session, { lines: [], commits: [], snapshots: [] });
      for (const map of [session.byRevision, session.children, session.runs, session.notes, states]) map.clear();
      Object.assign(session, { bars: [], store: 0, areRunsRecorded: false, until: -Infinity, version: session.version + 1 });
      Object.assign(view, { shown: [], chosen: -1, heard: 0, range: undefined });
      bars.current = undefined;
      Object.assign(strip, { key: '' });
      live.began = Infinity;
    });
    events.addEventListener('record', (event) => {
      waiting.push(event.data);
      if (waiting.length === 1) requestAnimationFrame(() => {
        const known = session.commits.length;
        for (const line of waiting) ingest(line);
        waiting = [];
        const now = performance.now() / 1_000;
        for (const { time } of session.commits.slice(known)) live.began = Math.min(live.began, now - time);
        showTitle();
        $('open-dispatch').hidden = session.head.actions.length === 0;
        live.follow();
      });
    });
    events.addEventListener('error', () => notice('The app is not there. This page waits for it.'));
    setInterval(() => schedule('count'), 1_000);
  },
  show() {
    $('live').textContent = view.isPaused ? 'Paused' : 'Live';
    $('live').setAttribute('aria-pressed', String(!view.isPaused));
  },
  toggle() {
    if (!live.isOn) return;
    view.isPaused = !view.isPaused;
    live.show();
    if (!view.isPaused) live.follow();
  },
  async ask(path, body) {
    try {
      const answer = await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
      return { isGood: answer.ok, text: await answer.text() };
    } catch {
      return { isGood: false, text: 'The app is not there.' };
    }
  },
  async travel() {
    const commit = session.commits[view.chosen];
    if (!commit) return;
    if (!live.isOn) return notice('A file does not travel. Serve a running app to jump in it.');
    const answer = await live.ask('jump', JSON.stringify({ revision: commit.revision }));
    notice(answer.isGood ? `The app is at #${commit.revision}.` : answer.text);
  },
};

let noticeEnd;
function notice(sentence) {
  $('notice').textContent = sentence;
  $('notice').classList.add('shown');
  clearTimeout(noticeEnd);
  noticeEnd = setTimeout(() => $('notice').classList.remove('shown'), 3_000);
}

async function sendAction() {
  const answer = $('action-answer');
  const json = $('action-value').value || '{}';
  try { JSON.parse(json); } catch (error) { answer.textContent = `That is no JSON: ${error.message}`; return; }
  // The text as it is: a value of JavaScript has not all digits of a large number.
  const result = await live.ask('dispatch', `{"name":${JSON.stringify($('action-name').value)},"value":${json}}`);
  answer.textContent = result.text;
}

function openDispatch() {
  if (!live.isOn || session.head.actions.length === 0) return;
  $('action-name').replaceChildren(...session.head.actions.map((action) => make('option', {}, text(action.name))));
  $('dispatch').showModal();
}

// MARK: Keys

// What is pressed, as it is shown, what it does, and how; where one line speaks of two keys, the second is not shown.
const keys = new Map([
  ['ArrowUp', ['↑ ↓', 'the commit before, after', () => move(-1)]],
  ['ArrowDown', [null, null, () => move(1)]],
  ['PageUp', ['Page ↑ ↓', 'a page of them', () => move(-20)]],
  ['PageDown', [null, null, () => move(20)]],
  ['Home', ['Home End', 'the first, the last', () => move(-Infinity)]],
  ['End', [null, null, () => move(Infinity)]],
  ['ArrowLeft', ['←', 'the commit that set it off', goToCause]],
  ['ArrowRight', ['→', 'the first that it set off', goToChild]],
  ['e', ['e', 'the runs of effects: ← → ↑ ↓ walk, Enter chooses the commit', goToRuns]],
  ['+', ['+ − 0', 'closer in time, further, the whole', () => zoom(.5)]],
  ['=', [null, null, () => zoom(.5)]],
  ['-', [null, null, () => zoom(2)]],
  ['0', [null, null, () => setRange(-Infinity, Infinity)]],
  ['1', ['1 2 3 4', 'why, change, state, owners', () => openTab('why')]],
  ['2', [null, null, () => openTab('change')]],
  ['3', [null, null, () => openTab('state')]],
  ['4', [null, null, () => openTab('owners')]],
  ['/', ['/', 'search', () => $('search').focus()]],
  [' ', ['space', 'pause, go on', () => live.toggle()]],
  ['t', ['t', 'have the app travel there', () => live.travel()]],
  ['d', ['d', 'dispatch an action', openDispatch]],
  ['?', ['?', 'these keys', openKeys]],
]);

function openKeys() {
  $('keys').showModal();
  showLegend();
}

function showLegend() {
  if (!$('keys').open) return;
  const kinds = [['', 'waits'], ['', 'runs'], ...Object.keys(ends).filter(Boolean).map((how) => [how, how]), ['underWay', 'under way']];
  const { context, width } = canvas('legend', Math.ceil(kinds.length / 3) * 20);
  const paints = colours();
  context.font = runFont;
  kinds.forEach(([how, name], at) => {
    const [x, y] = [at % 3 * width / 3 + 2, Math.floor(at / 3) * 20 + 6];
    context.fillStyle = context.strokeStyle = paints.quiet;
    context.lineWidth = 1;
    if (name === 'waits' || how === 'ignored') context.strokeRect(x + .5, y + .5, 17, runHeight - 1);
    else context.fillRect(x, y, how === '' ? 25 : 18, runHeight);
    if (how !== '') forms[how](context, x + 18, y);
    context.fillStyle = paints.ink;
    context.fillText(name, x + 32, y + runHeight - 2);
  });
}

function openTab(name) {
  view.tab = name;
  $('pane').scrollTop = 0;
  schedule('detail');
}

function onKey(event) {
  if (event.metaKey || event.ctrlKey || event.altKey || document.querySelector('dialog[open]')) return;
  const isTyping = event.target.matches('input, textarea, select');
  if (event.key === 'Escape' && isTyping) { event.target.blur(); $('list').focus({ preventScroll: true }); return; }
  if (isTyping && !(event.target.id === 'search' && ['ArrowUp', 'ArrowDown'].includes(event.key))) {
    if (event.key === 'Enter') $('list').focus({ preventScroll: true });
    return;
  }
  if (event.key === ' ' && event.target.matches('button')) return;
  if (event.target.id === 'bars' && onRunKey(event)) { event.preventDefault(); return; }
  const key = keys.get(event.key);
  if (!key) return;
  event.preventDefault();
  key[2]();
}

// MARK: Beginning

function showTitle() {
  const name = text(session.head.state) || 'Session';
  $('title').textContent = name;
  document.title = `${name} · Lensed`;
}

function begin() {
  const data = $('session').textContent;
  let start = 0;
  while (start < data.length) {
    let end = data.indexOf('\n', start);
    if (end < 0) end = data.length;
    if (end > start) ingest(data.slice(start, end));
    start = end + 1;
  }
  showTitle();
  $('tabs').append(...Object.entries(tabs).map(([name, title]) => {
    const button = make('button', { type: 'button', role: 'tab', onclick: () => openTab(name) }, title);
    button.dataset.tab = name;
    return button;
  }));
  for (const [shown, meaning] of keys.values()) {
    if (shown) $('key-list').append(make('dt', {}, shown), make('dd', {}, meaning));
  }
  refilter();
  showChips();
  if (view.shown.length > 0) choose(view.shown[view.shown.length - 1]);
  $('list').addEventListener('scroll', () => schedule('rows', 'strip', 'bars'), { passive: true });
  let searchEnd;
  $('search').addEventListener('input', () => {
    view.query = $('search').value;
    clearTimeout(searchEnd);
    searchEnd = setTimeout(filterAnew, 60);
  });
  $('strip').addEventListener('pointerdown', (event) => { $('strip').setPointerCapture(event.pointerId); dragStrip(event); });
  $('strip').addEventListener('pointermove', (event) => { if (event.buttons & 1) dragStrip(event); });
  for (const id of ['strip', 'bars']) $(id).addEventListener('wheel', onWheel, { passive: false });
  // A click chooses, and the keys stay with the commits.
  $('bars').addEventListener('pointerdown', (event) => event.preventDefault());
  $('bars').addEventListener('click', (event) => { const hit = runAt(event); if (hit) chooseCause(hit.run); });
  $('bars').addEventListener('pointermove', (event) => setCurrent(runAt(event)?.run));
  $('bars').addEventListener('pointerleave', () => { if (document.activeElement !== $('bars')) setCurrent(undefined); });
  $('bars').addEventListener('focus', enterRuns);
  $('bars').addEventListener('blur', () => setCurrent(undefined));
  $('live').addEventListener('click', live.toggle);
  $('help').addEventListener('click', openKeys);
  $('open-dispatch').addEventListener('click', openDispatch);
  $('send').addEventListener('click', sendAction);
  for (const dialog of document.querySelectorAll('dialog')) {
    dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  }
  document.addEventListener('keydown', onKey);
  listHeight = $('list').clientHeight;
  const resizing = new ResizeObserver(() => {
    keepInSight();
    schedule('rows', 'strip', 'bars');
  });
  for (const element of [document.body, $('list')]) resizing.observe(element);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { palette = undefined; schedule('strip', 'bars', 'legend'); });
  $('list').focus({ preventScroll: true });
  schedule('rows', 'strip', 'bars', 'detail', 'count');
  if (live.isOn) live.start();
}

begin();
