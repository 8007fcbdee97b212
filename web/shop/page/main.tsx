import { render } from 'preact';
import { App } from './app.tsx';
import './tokens.css';
import './layout.css';
import './controls.css';
import './till.css';
import './phone.css';
import './inspector.css';
import './print.css';

const root = document.getElementById('app');
if (root) render(<App />, root);
